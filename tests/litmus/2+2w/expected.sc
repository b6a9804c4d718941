6 final.x=1 final.y=2
8 final.x=2 final.y=1
9 final.x=2 final.y=2
