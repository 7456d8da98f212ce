// The files of the page, as they are; the assembler is told where web/ was bundled.
    .section .rodata
    .global aleator_page_script, aleator_page_script_end, aleator_page_style, aleator_page_style_end
    .global aleator_page_hash, aleator_page_hash_end
aleator_page_script:
    .incbin "page.js"
aleator_page_script_end:
aleator_page_style:
    .incbin "page.css"
aleator_page_style_end:
aleator_page_hash:
    .incbin "page.sha256"
aleator_page_hash_end:
    .section .note.GNU-stack, "", %progbits
