4 final.y=1 a=0
5 final.y=1 a=1
8 final.y=2 a=1
