% A thin disc that rolls on a horizontal plane, by its angular velocity alone: where its centre is follows from rolling.
autoz on
newtonian n
frames a, b            % heading and lean
bodies c
points cn
variables q{3}'
motionvariables' u{3}'
constants m, g, r
mass c = m
inertia c(b), m*r^2/4, m*r^2/2, m*r^2/4
simprot(n, a, 3, q1)
simprot(a, b, 1, q2)
simprot(b, c, 2, q3)
w_c_n> = u1*b1> + u2*b2> + u3*b3>
kindiffs(n, c, body312, q1, q2, q3)
p_cn_co> = -r*b3>
v_cn_n> = 0>
v_co_n> = cross(w_c_n>, p_cn_co>)
alf_c_n> = dt(w_c_n>, n)
a_co_n> = dt(v_co_n>, n)
gravity(g*a3>)
zero = fr() + frstar()
solve(zero, u1', u2', u3')
input m = 2, g = 9.81, r = 0.3, q2 = 15 deg, u2 = 8 rad/sec
output q1, q2, q3
code dynamics() disc.m
