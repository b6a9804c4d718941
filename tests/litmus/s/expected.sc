4 final.x=1 a=0
5 final.x=1 a=1
7 final.x=2 a=0
