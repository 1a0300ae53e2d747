% A rotor in a ring on a base that is shaken by a given motion; a motor with inductance turns the ring.
% The force that guides the base is brought into evidence by an auxiliary speed.
newtonian n
bodies a, r
frames s
points p
constants m, ma, j{2}, ia{3}, h, g
constants re, ind, kt          % of the motor
variables q{3}', i', fz
motionvariables' u{4}'
specified z'', volt
mass r = m, a = ma
inertia a, ia1, ia2, ia3
inertia r, j1, j1, j2
z = 0.1*sin(3*t)
simprot(n, s, 3, q1)
simprot(s, a, 1, q2)
simprot(a, r, 3, q3)
w_s_n> = u1*s3>
w_a_s> = u2*a1>
w_r_a> = u3*r3>
p_no_p> = z*n3>
p_p_ao> = 0>
p_p_ro> = h*a3>
v_p_n> = dt(p_no_p>, n) + u4*n3>
v_ao_n> = v_p_n>
v2pts(n, a, p, ro)
auxiliary[1] = u4
constrain(auxiliary[u4])
i' = (volt - re*i - kt*u1)/ind
gravity(-g*n3>)
torque(n/s, kt*i*s3>)
force_p> = fz*n3>
zero = fr() + frstar()
kane(fz)
input m=1.1, ma=0.4, j1=0.004, j2=0.007, ia1=0.003, ia2=0.0025, ia3=0.005, h=0.12, g=9.81
input re=1.5, ind=0.02, kt=0.3
input q2=0.3, u3=60, i=0.1
output fz, i
code dynamics() gyro.c
