print("plots")
