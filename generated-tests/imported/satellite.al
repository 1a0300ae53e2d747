% A free body with a wheel in it, by Euler parameters, and a mass that slides in a tube with a spring.
Newtonian N
Bodies B, W
Particles P
Points H
Variables E{4}', S', Phi', X{3}'
MotionVariables' U{8}'
Constants MB+, MW+, MP+, IB{3}, IB23, IW{2}, K, H0
Specified Tau
Mass B=MB, W=MW, P=MP
Inertia B, IB1, IB2, IB3, 0, IB23, 0
Inertia W, IW1, IW2, IW2
Dircos(N, B, Euler, E1, E2, E3, E4)
Simprot(B, W, -1, Phi)
P_NO_BO> = Vector(N, X1, X2, X3)
P_BO_WO> = 0>
P_BO_H> = H0*B2>
P_H_P> = S*B3>
W_B_N> = U1*B1> + U2*B2> + U3*B3>
W_W_B> = -U4*W1>
V_BO_N> = U5*N1> + U6*N2> + U7*N3>
S' = U8
KinDiffs(N, B, Euler, E1, E2, E3, E4)
Torque(B/W, Tau*B1>)
Force(H/P, -K*S*B3>)
Zero = Fr() + FrStar()
Kane()
Input MB=12, MW=1.5, MP=0.4, IB1=0.9, IB2=1.1, IB3=1.3, IB23=-0.05, IW1=0.02, IW2=0.012, K=30, H0=0.4
Input E4=1, S=0.05, U3=0.2
Code Dynamics() satellite.c
