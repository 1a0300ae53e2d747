"""Draws the pictures of the library of parts: python3 docs/parts/draw.py writes them beside itself.

A picture is 240 by 150. Gray: what a part stands on or acts on. Blue: what it moves. Orange: coordinates and forces, by their names in the part.
"""

import math
import pathlib

HERE = pathlib.Path(__file__).parent
GRAY, BLUE, ORANGE, LIGHT = "#64748b", "#2563eb", "#ea580c", "#e2e8f0"


def shape(kind, stroke=GRAY, fill="none", width=2, **attributes):
    rest = "".join(f' {name}="{value:g}"' if isinstance(value, (int, float)) else f' {name}="{value}"' for name, value in attributes.items())
    return f'<{kind} fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"{rest}/>'


def line(x1, y1, x2, y2, stroke=GRAY, width=2, dash=None):
    more = {"stroke-dasharray": dash} if dash else {}
    return shape("line", stroke, width=width, x1=x1, y1=y1, x2=x2, y2=y2, **more)


def path(points, stroke=GRAY, width=2, fill="none"):
    return shape("polyline", stroke, fill, width, points=" ".join(f"{x:g},{y:g}" for x, y in points))


def circle(x, y, r, stroke=GRAY, fill="#fff"):
    return shape("circle", stroke, fill, cx=x, cy=y, r=r)


def box(x, y, w, h, stroke=GRAY, fill=LIGHT):
    return shape("rect", stroke, fill, x=x, y=y, width_=w, height=h).replace("width_", "width")


def word(x, y, text, colour=ORANGE, anchor="middle"):
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}">{text}</text>'


def point(x, y, name=None, dx=0, dy=-8, colour=GRAY):
    return circle(x, y, 3, colour, colour) + (word(x + dx, y + dy, name, colour) if name else "")


def arrow(x1, y1, x2, y2, name=None, dx=0, dy=-7, colour=ORANGE):
    """With its head at the second point."""
    angle = math.atan2(y2 - y1, x2 - x1)
    head = [(x2 - 8 * math.cos(angle + s), y2 - 8 * math.sin(angle + s)) for s in (0.4, -0.4)]
    text = word((x1 + x2) / 2 + dx, (y1 + y2) / 2 + dy, name, colour) if name else ""
    return line(x1, y1, x2, y2, colour) + path([head[0], (x2, y2), head[1]], colour) + text


def arc(x, y, r, start, end, name=None, colour=ORANGE):
    """Around a centre from an angle to another, in degrees against the clock, with a head at the second."""
    steps = 24
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    points = [(x + r * math.cos(a), y - r * math.sin(a)) for a in angles]
    way = angles[-1] + (math.pi / 2 if end > start else -math.pi / 2)
    tip = points[-1]
    head = [(tip[0] - 8 * math.cos(way + s), tip[1] + 8 * math.sin(way + s)) for s in (0.4, -0.4)]
    middle = math.radians((start + end) / 2)
    text = word(x + (r + 12) * math.cos(middle), y - (r + 12) * math.sin(middle) + 4, name, colour) if name else ""
    return path(points, colour) + path([head[0], tip, head[1]], colour) + text


def ground(x1, x2, y, below=True):
    side = 7 if below else -7
    ticks = "".join(line(x, y, x - 6, y + side, width=1) for x in range(int(x1) + 6, int(x2) + 1, 9))
    return line(x1, y, x2, y) + ticks


def wall(x, y1, y2):
    ticks = "".join(line(x, y, x - 7, y + 6, width=1) for y in range(int(y1), int(y2) - 4, 9))
    return line(x, y1, x, y2) + ticks


def coil(x1, y1, x2, y2, colour=BLUE, turns=6):
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    points = [(x1, y1), (x1 + 0.12 * (x2 - x1), y1 + 0.12 * (y2 - y1))]
    for i in range(2 * turns):
        along, across = 0.12 + 0.76 * (i + 0.5) / (2 * turns), 7 * (1 if i % 2 else -1)
        points.append((x1 + along * (x2 - x1) - across * uy, y1 + along * (y2 - y1) + across * ux))
    points += [(x1 + 0.88 * (x2 - x1), y1 + 0.88 * (y2 - y1)), (x2, y2)]
    return path(points, colour)


def dashpot(x1, x2, y, colour=BLUE):
    """Along the x-axis."""
    middle = (x1 + x2) / 2
    return (
        line(x1, y, middle - 4, y, colour)
        + path([(middle + 14, y - 8), (middle - 12, y - 8), (middle - 12, y + 8), (middle + 14, y + 8)], colour)
        + line(middle + 2, y - 6, middle + 2, y + 6, colour)
        + line(middle + 2, y, x2, y, colour)
    )


def strut(middle, first="from", second="to"):
    """Something between two points."""
    return point(40, 75, first) + point(200, 75, second) + middle


def wheel_side(x, y, r, name="phi"):
    return circle(x, y, r, BLUE) + point(x, y, colour=BLUE) + line(x, y, x + r * 0.7, y - r * 0.7, BLUE) + arc(x, y, r + 10, 60, 0, name)


def cable_round(r, start, end, wrapped):
    """Tangents from two points to a circle at (120, 82), and the arc between them, over the top."""
    cx, cy = 120, 82
    out = []
    touch = []
    for (x, y), sign in ((start, 1), (end, -1)):
        d = math.hypot(x - cx, y - cy)
        base = math.atan2(cy - y, x - cx)
        a = base - sign * math.acos(r / d)
        touch.append(a)
        out.append(line(x, y, cx + r * math.cos(a), cy - r * math.sin(a), BLUE))
    a, b = touch
    if a < b:
        a += 2 * math.pi
    steps = [a + (b - a) * i / 20 for i in range(21)]
    out.append(path([(cx + r * math.cos(t), cy - r * math.sin(t)) for t in steps], BLUE))
    return "".join(out) if wrapped else ""


def joints():
    yield "revolute", ground(60, 120, 120) + path([(75, 120), (90, 90), (105, 120)]) + line(90, 90, 190, 45, BLUE, 6) + circle(90, 90, 6) + arc(90, 90, 50, 0, 22, "q") + line(90, 90, 160, 90, dash="4 3", width=1) + word(90, 78, "axis", GRAY)
    yield "prismatic", ground(30, 210, 110) + box(110, 78, 50, 30, BLUE, "#dbeafe") + point(40, 93, "at") + arrow(40, 65, 134, 65, "s") + arrow(165, 93, 205, 93, "axis", colour=GRAY)
    yield "cylindrical", box(40, 60, 60, 30) + line(30, 75, 210, 75, BLUE, 6) + arrow(110, 50, 190, 50, "s") + arc(180, 75, 22, -60, 60, "q") + word(70, 110, "base", GRAY)
    yield "screw", box(90, 55, 50, 40) + line(30, 75, 210, 75, BLUE, 6) + "".join(line(x, 67, x + 8, 83, "#fff", 2) for x in range(34, 206, 8)) + arc(195, 75, 24, -60, 60, "q") + word(115, 120, "lead for each turn", GRAY)
    yield "universal", line(20, 75, 85, 75, GRAY, 6) + path([(85, 75), (100, 50), (120, 50)]) + path([(85, 75), (100, 100), (120, 100)]) + line(120, 45, 120, 105, ORANGE, 3) + line(98, 92, 142, 58, ORANGE, 3) + line(155, 68, 220, 40, BLUE, 6) + path([(155, 68), (140, 55)], BLUE) + path([(155, 68), (103, 90)], BLUE, 1) + word(52, 62, "q1") + word(190, 80, "q2")
    yield "ball", path([(95, 120), (95, 95), (145, 95), (145, 120)]) + ground(80, 160, 120) + circle(120, 80, 20, BLUE, "#dbeafe") + line(128, 62, 165, 20, BLUE, 6) + word(70, 70, "e0 .. e3") + arc(120, 80, 30, 20, 100, None)
    yield "ball_euler", path([(95, 120), (95, 95), (145, 95), (145, 120)]) + ground(80, 160, 120) + circle(120, 80, 20, BLUE, "#dbeafe") + line(128, 62, 165, 20, BLUE, 6) + word(55, 60, "yaw, pitch,") + word(55, 76, "roll") + arc(120, 80, 30, 20, 100, None)
    yield "planar", path([(30, 120), (80, 60), (220, 60), (170, 120), (30, 120)]) + path([(105, 100), (130, 72), (170, 72), (145, 100), (105, 100)], BLUE, 2, "#dbeafe") + arrow(40, 112, 125, 112, "x", dy=14) + arrow(40, 112, 66, 80, "y", dx=-8) + arc(138, 86, 34, 10, 60, "q")
    yield "free", path([(110, 50), (160, 60), (150, 100), (100, 90), (110, 50)], BLUE, 2, "#dbeafe") + point(130, 75, colour=BLUE) + arrow(30, 120, 126, 78, "x, y, z", dx=-12) + arc(130, 75, 42, -20, 40, "e0 .. e3") + point(30, 120, "at", dy=16)


def transmissions():
    yield "gear_pair", circle(80, 75, 30, GRAY, LIGHT) + circle(160, 75, 50, BLUE, "#dbeafe") + point(80, 75) + point(160, 75, colour=BLUE) + arc(80, 75, 18, 20, 110, "p") + arc(160, 75, 34, 110, 20, "q") + word(80, 122, "r1", GRAY) + word(160, 142, "r2", GRAY)
    yield "rack", circle(110, 60, 35, GRAY, LIGHT) + point(110, 60) + arc(110, 60, 20, 20, 120, "q") + box(30, 97, 180, 16, BLUE, "#dbeafe") + "".join(line(x, 97, x + 4, 92, BLUE) for x in range(34, 206, 10)) + arrow(130, 130, 200, 130, "s", dy=-5)
    yield "belt", circle(70, 75, 22, GRAY, LIGHT) + circle(170, 75, 38, BLUE, "#dbeafe") + line(67, 53, 165, 37) + line(67, 97, 165, 113) + point(70, 75) + point(170, 75, colour=BLUE) + arc(70, 75, 34, 140, 200, "p") + arc(170, 75, 50, -40, 30, "q")
    yield "elastic_belt", circle(70, 75, 22, GRAY, LIGHT) + circle(170, 75, 38, BLUE, "#dbeafe") + coil(67, 53, 165, 37, ORANGE, 9) + coil(67, 97, 165, 113, ORANGE, 9) + point(70, 75) + point(170, 75, colour=BLUE) + word(28, 80, "p") + word(222, 80, "q") + word(118, 80, "k, c")
    yield "pulley", line(120, 10, 120, 45) + ground(90, 150, 10, False) + circle(120, 45, 28, BLUE, "#dbeafe") + point(120, 45, colour=BLUE) + line(92, 45, 92, 120) + line(148, 45, 148, 100) + box(80, 120, 24, 18) + box(136, 100, 24, 18) + arc(120, 45, 16, 20, 120, None) + word(120, 66, "q") + arrow(70, 45, 70, 118, "left", dx=-20) + arrow(172, 45, 172, 98, "right", dx=24)
    yield "cam", shape("ellipse", GRAY, LIGHT, cx=110, cy=100, rx=50, ry=34) + point(95, 100) + arc(95, 100, 20, 0, 100, "q") + line(110, 66, 110, 20, BLUE, 6) + line(95, 66, 125, 66, BLUE) + box(90, 34, 10, 18) + box(120, 34, 10, 18) + arrow(150, 66, 150, 22, "s", dx=12)


def actuators():
    motor = box(25, 55, 50, 40) + word(50, 80, "M", GRAY)
    gear = line(75, 75, 100, 75) + box(100, 50, 22, 50) + word(111, 118, "n", GRAY)
    yield "geared_motor", motor + gear + line(122, 75, 205, 75, BLUE, 6) + arc(190, 75, 24, -60, 60, "q") + word(50, 45, "tau") + word(50, 115, "J, b", GRAY)
    yield "series_elastic", motor + gear + line(122, 75, 140, 75) + coil(140, 75, 190, 75, ORANGE, 4) + line(190, 75, 215, 75, BLUE, 6) + word(50, 45, "tau") + word(165, 62, "k, c") + word(131, 42, "theta") + word(205, 64, "q")
    circuit = path([(20, 40), (20, 20), (60, 20)], ORANGE) + box(60, 13, 22, 14, ORANGE, "#fff") + word(71, 42, "R") + coil(90, 20, 130, 20, ORANGE, 3) + word(110, 42, "L") + path([(82, 20), (90, 20)], ORANGE) + path([(130, 20), (150, 20), (150, 70)], ORANGE) + path([(20, 60), (20, 110), (150, 110), (150, 100)], ORANGE)
    yield "dc_motor", circuit + word(12, 54, "v", anchor="start") + circle(150, 85, 15) + word(150, 90, "M", GRAY) + line(165, 85, 215, 85, BLUE, 6) + arrow(100, 110, 70, 110, "i") + word(200, 75, "q") + word(176, 106, "n", GRAY)
    yield "dc_motor_current", path([(60, 35), (60, 30), (150, 30), (150, 70)], ORANGE) + path([(60, 75), (60, 110), (150, 110), (150, 100)], ORANGE) + circle(60, 55, 20, ORANGE) + arrow(60, 68, 60, 42, "i", dx=30, dy=0) + circle(150, 85, 15) + word(150, 90, "M", GRAY) + line(165, 85, 215, 85, BLUE, 6) + word(200, 75, "q") + word(176, 106, "n", GRAY)
    yield "hydraulic_cylinder", strut(line(40, 75, 60, 75) + box(60, 55, 90, 40) + line(105, 55, 105, 95, BLUE, 5) + line(105, 75, 200, 75, BLUE, 4) + word(82, 80, "p1") + word(130, 69, "p2") + arrow(75, 125, 75, 97, "Q1", dx=-14, dy=4) + arrow(140, 125, 140, 97, "Q2", dx=14, dy=4))
    yield "thruster", path([(70, 60), (150, 60), (190, 75), (150, 90), (70, 90), (70, 60)], BLUE, 2, "#dbeafe") + path([(70, 66), (52, 60), (52, 90), (70, 84)]) + point(52, 75, "at", dy=32) + arrow(85, 72, 140, 72, "F", dy=14) + "".join(line(40, y, 18, y, ORANGE, 1, "3 3") for y in (66, 75, 84))
    yield "propeller", shape("ellipse", BLUE, "#dbeafe", cx=85, cy=60, rx=50, ry=7) + shape("ellipse", BLUE, "#dbeafe", cx=155, cy=60, rx=50, ry=7) + line(120, 60, 120, 110, GRAY, 4) + box(95, 110, 50, 18) + arrow(120, 55, 120, 15, "axis", dx=20) + word(120, 80, "w", anchor="end") + arc(120, 95, 40, -30, 30, "km w&#178;")
    yield "hill_muscle", strut(shape("ellipse", BLUE, "#dbeafe", cx=105, cy=75, rx=45, ry=16) + line(40, 75, 60, 75, BLUE) + line(150, 75, 200, 75, GRAY, 3) + word(105, 79, "a") + word(105, 110, "fibres", GRAY) + word(176, 110, "tendon", GRAY))


def contact():
    yield "wheel", ground(30, 210, 120) + wheel_side(110, 80, 40) + point(110, 120, "contact", dx=0, dy=20) + arrow(150, 80, 205, 80, "heading", dx=10, dy=16, colour=GRAY)
    yield "castor", ground(30, 210, 120) + line(160, 20, 160, 60) + box(145, 10, 30, 10) + path([(160, 60), (110, 90)], BLUE, 3) + circle(110, 90, 30, BLUE) + point(110, 90, colour=BLUE) + arc(160, 52, 16, 20, 160, None) + word(186, 50, "q") + word(158, 86, "trail", GRAY, "start")
    yield "roll", ground(30, 210, 120) + circle(110, 80, 40, BLUE) + point(110, 80, colour=BLUE) + point(110, 120, "contact", dx=0, dy=20) + arrow(180, 120, 180, 70, "normal", dx=26, colour=GRAY) + arc(110, 80, 28, 60, -20)
    yield "knife_edge", path([(50, 100), (150, 60), (175, 75), (75, 115), (50, 100)], BLUE, 2, "#dbeafe") + point(75, 98, "at", dx=-22) + arrow(75, 98, 95, 135, "side", dx=22, colour=GRAY) + line(45, 110, 105, 86, ORANGE, 4)
    yield "tyre", path([(90, 30), (120, 22), (150, 112), (120, 120), (90, 30)], BLUE, 2, "#dbeafe") + point(120, 71, "at", dx=-20) + arrow(120, 71, 92, -2 + 12, "heading", dx=-30, colour=GRAY) + arrow(120, 71, 128, 10, "v", dx=12) + arrow(120, 71, 175, 52, "side", dx=16)
    yield "rolling_tyre", ground(30, 210, 120) + wheel_side(110, 80, 40) + arrow(110, 126, 165, 126, "drive", dx=36, dy=6) + arrow(150, 80, 205, 80, "heading", dx=10, dy=16, colour=GRAY)
    yield "hunt_crossley", path([(30, 110), (80, 110), (95, 118), (125, 118), (140, 110), (210, 110)]) + circle(110, 82, 36, BLUE) + point(110, 82, "center", dy=-10, colour=BLUE) + arrow(110, 145, 110, 121, "press", dx=28, dy=6) + arrow(100, 121, 65, 121, "mu", dy=14)


def springs():
    yield "spring_damper", strut(line(40, 75, 60, 75, BLUE) + line(60, 55, 60, 95, BLUE) + coil(60, 55, 180, 55) + dashpot(60, 180, 95) + line(180, 55, 180, 95, BLUE) + line(180, 75, 200, 75, BLUE) + word(120, 40, "k, l, F") + word(120, 120, "c"))
    spiral = [(120 + (6 + 2.2 * a) * math.cos(a), 75 - (6 + 2.2 * a) * math.sin(a)) for a in [i * 0.15 for i in range(110)]]
    yield "torsion_spring", path(spiral, BLUE) + circle(120, 75, 5) + line(spiral[-1][0], spiral[-1][1], 205, 40, GRAY, 4) + line(120, 75, 205, 75, width=1, dash="4 3") + arc(120, 75, 66, 0, 22, "q") + word(40, 40, "k, c, T")
    yield "cubic_spring", strut(coil(40, 75, 200, 75, BLUE, 9) + word(120, 55, "k, k3"))
    yield "bushing", box(50, 50, 140, 60) + shape("rect", ORANGE, "#ffedd5", x=80, y=62, height=36, rx=8).replace('height="36"', 'width="80" height="36"') + circle(120, 80, 10, BLUE, "#dbeafe") + line(120, 80, 215, 30, BLUE, 4) + word(60, 128, "base", GRAY) + word(200, 62, "frame", BLUE) + word(98, 84, "k") + word(145, 90, "h")
    yield "shock_absorber", strut(dashpot(40, 200, 75) + arrow(95, 50, 60, 50, "bump", dy=-6) + arrow(145, 50, 180, 50, "rebound", dy=-6))
    yield "maxwell", strut(dashpot(40, 120, 75) + coil(120, 75, 200, 75) + word(80, 55, "c") + word(160, 55, "k") + arrow(40, 105, 118, 105, "x", dy=14))
    yield "gas_spring", strut(line(40, 75, 60, 75) + box(60, 58, 90, 34) + "".join(circle(66 + 13 * (i % 3), 66 + 9 * (i // 3), 1.5, ORANGE, ORANGE) for i in range(9)) + line(104, 58, 104, 92, BLUE, 5) + line(104, 75, 200, 75, BLUE, 4) + word(82, 112, "gas"))
    yield "cable", strut(path([(40 + 4 * i, 75 + 14 * math.sin(math.pi * i / 40)) for i in range(41)], BLUE) + line(40, 75, 200, 75, ORANGE, 1, "5 4") + word(120, 65, "k, l") + word(120, 108, "slack", BLUE))
    yield "end_stops", ground(40, 200, 110) + box(105, 85, 30, 25, BLUE, "#dbeafe") + wall(40, 70, 110) + wall(207, 70, 110) + coil(40, 97, 70, 97, ORANGE, 3) + coil(200, 97, 170, 97, ORANGE, 3) + word(70, 82, "lower") + word(170, 82, "upper") + arrow(95, 60, 145, 60, "q")
    yield "drag", circle(130, 75, 28, BLUE, "#dbeafe") + point(130, 75, "at", colour=BLUE) + arrow(160, 75, 215, 75, "v", colour=GRAY) + arrow(100, 75, 40, 75, "F") + path([(40, 45), (100, 45), (130, 38), (160, 45), (210, 45)], GRAY, 1) + path([(40, 105), (100, 105), (130, 112), (160, 105), (210, 105)], GRAY, 1)
    yield "wrap_pulley", circle(120, 82, 28, GRAY, LIGHT) + circle(120, 82, 22, GRAY) + cable_round(28, (30, 100), (150, 140), True) + point(30, 100, "from", dy=18) + point(150, 140, "to", dx=16, dy=2) + point(120, 82, "center", dy=4, dx=0)
    yield "wrap_cylinder", circle(120, 82, 30, GRAY, LIGHT) + cable_round(30, (30, 90), (210, 95), True) + point(30, 90, "from", dy=18) + point(210, 95, "to", dy=18) + point(120, 82, "center, axis", dy=18) + word(120, 40, "r", GRAY)
    yield "wrap_sphere", circle(120, 82, 30, GRAY, LIGHT) + shape("ellipse", GRAY, cx=120, cy=82, rx=30, ry=9, width=1) + cable_round(30, (30, 90), (210, 95), True) + point(30, 90, "from", dy=18) + point(210, 95, "to", dy=18) + point(120, 82, "center", dy=22) + word(120, 40, "r", GRAY)


def main():
    for group in (joints, transmissions, actuators, contact, springs):
        for name, content in group():
            style = 'font-family="sans-serif" font-size="12" stroke-linecap="round" stroke-linejoin="round"'
            texts = content.replace("<text ", '<text stroke="none" ')
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 150" width="240" height="150" {style}>\n'
            svg += '<rect width="240" height="150" rx="8" fill="#fff" stroke="none"/>\n' + texts.replace("/><", "/>\n<").replace("</text><", "</text>\n<") + "\n</svg>\n"
            (HERE / f"{name}.svg").write_text(svg)


if __name__ == "__main__":
    main()
