% A bicycle that rolls without slipping: rear frame, front frame, two wheels, a turned steering axis.
newtonian n
frames a, b, s                 % heading, lean, steering axis
bodies c, d, e, f              % rear frame, rear wheel, front frame, front wheel
points dn, fn, st
constants rr=0.3, rf=0.35, cs, ls, tilt
constants x{2}, z{2}
constants mc, md, me, mf, g
constants ic{3}, ic31, id{2}, ie{3}, ie31, if{2}
specified t{3}
variables q{8}'
motionvariables' u{8}'
mass c=mc, d=md, e=me, f=mf
inertia c, ic1, ic2, ic3, 0, 0, ic31
inertia d, id1, id2, id1
inertia e, ie1, ie2, ie3, 0, 0, ie31
inertia f, if1, if2, if1
simprot(n, a, 3, q3)
simprot(a, b, 1, q4)
simprot(b, c, 2, q5)
simprot(c, d, 2, q6)
simprot(c, s, 2, tilt)
simprot(s, e, 3, q7)
simprot(e, f, 2, q8)
p_no_do> = q1*n1> + q2*n2> - rr*b3>
p_do_co> = x1*c1> + z1*c3>
p_do_st> = cs*s1>
p_st_fo> = ls*e3> + 0.05*e1>
p_st_eo> = x2*e1> + z2*e3>
p_do_dn> = rr*b3>
p_fo_fn> = rf*unitvec(n3> - dot(e2>, n3>)*e2>)
q1' = u1
q2' = u2
q3' = u3
q4' = u4
q5' = u5
q6' = u6
q7' = u7
q8' = u8
angvel(n, f)
v_do_n> = dt(p_no_do>, n)
v_co_n> = dt(p_no_co>, n)
v_eo_n> = dt(p_no_eo>, n)
v_fo_n> = dt(p_no_fo>, n)
v2pts(n, d, do, dn)
v2pts(n, f, fo, fn)
height = dot(p_dn_fn>, n3>)
dependent[1] = dot(v_dn_n>, a1>)
dependent[2] = dot(v_dn_n>, a2>)
dependent[3] = dot(v_fn_n>, a1>)
dependent[4] = dot(v_fn_n>, a2>)
dependent[5] = dt(height)
constrain(dependent[u1, u2, u3, u5, u8])
gravity(g*n3>, c, d, e, f)
torque(n/c, t1*a1>)            % on the rider
torque(c/d, t2*c2>)            % at the pedals
torque(c/e, t3*e3>)            % at the handlebar
zero = fr() + frstar()
solve(zero, u4', u6', u7')
amat[1,1] = d(q1', q1)
input cs=0.95, ls=0.25, tilt=18 deg, x1=0.35, z1=-0.5, x2=-0.02, z2=-0.3
input mc=80, md=2.2, me=4.1, mf=2.9, g=9.81
input ic1=9.2, ic2=11, ic3=2.8, ic31=2.4, id1=0.06, id2=0.12
input ie1=0.058, ie2=0.06, ie3=0.008, ie31=-0.009, if1=0.14, if2=0.28
input q5=0 deg, u6=-10 rad/sec
output q3 rad, q4 rad, height m
encode amat
code dynamics() bicycle.c
save bicycle.all
