# errors.csv → a table in Markdown for each case and each of the two references: errors in per cent, Latin hypercubes as the mean
# over seeds and their range. A star: e_mu relative to the scatter, because the mean of the reference cannot be told from zero.

function percent(x) {
  x *= 100
  if (x == 0) return "0"
  if (x >= 9.95) return sprintf("%.0f", x)
  if (x >= 0.995) return sprintf("%.1f", x)
  if (x >= 0.0995) return sprintf("%.2f", x)
  if (x >= 0.00995) return sprintf("%.3f", x)
  if (x >= 0.000995) return sprintf("%.4f", x)
  return sprintf("%.0e", x)
}

function title(method) {
  if (method == "reference") return "the reference itself"
  if (method == "mc") return "Monte Carlo"
  if (method == "lhs") return "Latin hypercube"
  if (method == "sobol") return "Sobol'"
  if (method == "sparse") return "sparse chaos"
  if (method ~ /^pc-/) return "chaos, order " substr(method, 4)
  return method
}

function cell(key, column,   text) {
  text = percent(sum[key, column] / count[key])
  if (count[key] > 1) text = text " (" percent(low[key, column]) "–" percent(high[key, column]) ")"
  return text (column == 1 && star[key] ? "*" : "")
}

function table(   i, o, c, key, line) {
  if (!rows) return
  printf "\n## %s, against %s\n\n", current, against == "reference" ? "the reference" : "Monte Carlo with " substr(monte_carlo, 4) " runs"
  print "| method | runs | e_mu qx | qy | fx | fy | e_sigma qx | qy | fx | fy |"
  print "|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= rows; ++i) {
    line = "| " title(row_method[i]) " | " row_runs[i] " |"
    for (c = 1; c <= 2; ++c)
      for (o = 1; o <= 4; ++o) {
        key = row[i] SUBSEP outputs[o]
        line = line " " cell(key, c) " |"
      }
    print line
  }
  rows = 0
  delete seen; delete sum; delete count; delete low; delete high; delete star
}

# All cases in one table for each measure: the largest size, against the reference; the better of chaos and hypercube is bold.
function summary(c, name,   i, o, p, l, line, key) {
  printf "\n## %s of all cases\n\n", name
  print "Against the reference. In each cell: chaos and Latin hypercube (mean over seeds) with the largest number of runs, the better one bold;"
  print "Sobol' with the nearest power of two; sparse chaos with as many runs; `auto` with what it was allowed.\n"
  print "| case | runs | qx | qy | fx | fy |"
  print "|---|---|---|---|---|---|"
  for (i = 1; i <= cases; ++i) {
    line = "| " case_name[i] " | " most[case_name[i]] " |"
    for (o = 1; o <= 4; ++o) {
      key = case_name[i] SUBSEP most[case_name[i]] SUBSEP outputs[o]
      p = at_most[key, "pc", c]
      l = at_most[key, "lhs", c] / seeds[key]
      line = line " " (p < l ? "**" percent(p) "** / " percent(l) : percent(p) " / **" percent(l) "**")
      line = line " / " percent(at_most[case_name[i], outputs[o], "sobol", c]) " / " percent(at_most[key, "sparse", c]) " / " percent(at_most[case_name[i], outputs[o], "auto", c]) " |"
    }
    print line
  }
}

BEGIN {
  split("qx qy fx fy", outputs, " ")
  print "# Errors in per cent\n"
  print "`e_mu` of the mean, `e_sigma` of the standard deviation. The own error of a reference is what sampling alone makes it differ"
  print "from the truth, from its standard errors."
}

NR == 1 { next }
$1 != current || $5 != against { table(); current = $1; against = $5 }
{
  # of a study compared with itself the noise is √2 of its own error
  own = $2 == "reference" && $5 == "reference" || $2 == "mc" && $5 != "reference"
  if ($2 == "reference" && !own) next
  mu = own ? $10 / sqrt(2) : $7
  sigma = own ? $11 / sqrt(2) : $8
  name = $2 SUBSEP $3
  if (!(name in seen)) { seen[name] = 1; row[++rows] = name; row_method[rows] = $2; row_runs[rows] = $3 }
  key = name SUBSEP $6
  v[1] = mu; v[2] = sigma
  for (c = 1; c <= 2; ++c) {
    sum[key, c] += v[c]
    if (!count[key] || v[c] < low[key, c]) low[key, c] = v[c]
    if (!count[key] || v[c] > high[key, c]) high[key, c] = v[c]
  }
  ++count[key]
  if ($9 != "mean") star[key] = 1
  if ($5 == "reference" && $2 != "reference" && $2 != "mc") {
    if (!($1 in most)) case_name[++cases] = $1
    if ($2 != "sobol" && $2 != "auto" && $3 > most[$1]) most[$1] = $3
    short = $2 ~ /^pc/ ? "pc" : $2
    key = short == "sobol" || short == "auto" ? $1 SUBSEP $6 : $1 SUBSEP $3 SUBSEP $6
    at_most[key, short, 1] += mu
    at_most[key, short, 2] += sigma
    if (short == "lhs") ++seeds[key]
  }
}
END { table(); summary(1, "e_mu"); summary(2, "e_sigma") }
