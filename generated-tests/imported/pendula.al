% Two rods that hang one from the other, the lower one driven at its joint.
% Written for the tests of eomgen.
NEWTONIAN N
BODIES A, B
POINTS J
CONSTANTS L{2}+, G          % lengths of the rods, gravity
CONSTANTS MA+, MB+, IA, IB
CONSTANTS C                 % friction of the joint
SPECIFIED T1
MOTIONVARIABLES' Q{2}'      % angles from the vertical
MOTIONVARIABLES' U{2}'
MASS A=MA, B=MB
INERTIA A, 0, 0, IA
INERTIA B, 0, 0, IB
SIMPROT(N, A, 3, Q1)
SIMPROT(N, B, 3, Q2)
Q1' = U1
Q2' = U2
W_A_N> = U1*N3>
W_B_N> = U2*N3>
P_NO_AO> = -L1/2*A2>
P_NO_J> = -L1*A2>
P_J_BO> = -L2/2*B2>
V_NO_N> = 0>
V2PTS(N, A, NO, AO)
V2PTS(N, A, NO, J)
V2PTS(N, B, J, BO)
ALF_A_N> = DT(W_A_N>, N)
A_BO_N> = DT(V_BO_N>, N)
GRAVITY(-G*N2>)
TORQUE(A/B, (T1 - C*(U2 - U1))*N3>)
HEIGHT = DOT(P_NO_BO>, N2>)
K = KE()
ZERO = FR() + FRSTAR()
KANE()
INPUT L1=0.8 m, L2=60 cm, G=9.81 m/sec^2, MA=1.5 kg, MB=900 g, IA=0.08, IB=2.7E-2
INPUT C=0.05
INPUT Q1=30 DEG, Q2=-0.2, U1=0.5, TFINAL=10, INTEGSTP=0.01
OUTPUT T, Q1 DEG, Q2 DEG, HEIGHT M, K
CODE DYNAMICS() pendula.c
