print("yoob")
