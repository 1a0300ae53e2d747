% A particle on a circle by two coordinates that depend on one another, and a block on a spring and a damper that is pulled along.
NEWTONIAN N
FRAMES A
POINTS O
PARTICLES P, R
MOTIONVARIABLES' Q{2}', Y'
MOTIONVARIABLES' U{3}'
CONSTANTS M, MR, G, K, B, Y0
SPECIFIED F
MASS P=M, R=MR
ANGLE = ATAN(Q2/Q1)
SIMPROT(N, A, 3, ANGLE)
P_O_P> = Q1*N1> + Q2*N2>
P_O_R> = Y*N3>
V_O_N> = 0>
Q1' = U1
Q2' = U2
Y' = U3/2
V_P_N> = DT(P_O_P>, N)
V_R_N> = DT(P_O_R>, N)
RADIAL[1] = DOT(EXPRESS(V_P_N>, A), A1>)
DEPENDENT[1] = RADIAL[1]
CONSTRAIN(DEPENDENT[U1])
FORCE_P> = M*G*N1>
PULL> = F*UNITVEC(P_P_R>)
FORCE(P/R, -PULL>)
FORCE_R> += -(K*(Y - Y0) + B*Y')*N3>
ZERO = FR() + FRSTAR()
STRETCH = MAG(P_O_P>)
INPUT M=1.2, MR=0.7, G=9.81, K=40, B=2/5, Y0=PI/10
INPUT Q1=0.8, Q2=0.6, Y=0.1
OUTPUT T, Q1, STRETCH, DOT(P_P_R>, N3>)
CODE DYNAMICS() coupler.c
