//! E0500 to E0559: formulations that do not apply to a model, and quantities that they do not have.

super::codes! {
    // Charts, generalized inverses, multipliers: E0520 to E0539.
    E0520 "a chart that the constraints do not allow" {
        what: "The rates named by `--dependent` for the explicit Gibbs-Appell equation are not rates of coordinates, are more than the independent constraint rows, or cannot be solved for at any state.",
        why: "The equation eliminates as many accelerations of coordinates as there are independent rows; the columns of A that belong to them must have full rank. A declared speed is no column of A.",
        example: "",
        fix: "Name rates of coordinates, one for each independent row, or none: a chart is then chosen.",
        corrected: "",
    }
    E0521 "loads that depend on reactions in an equation without multipliers" {
        what: "The model has loads that depend on reactions, such as Coulomb friction, and the explicit Gibbs-Appell equation was asked for.",
        why: "The equation is the projection on the motions that the constraints allow, on which constraint forces do no work and drop out. A load that depends on a reaction does not drop out, and the multiplier in it remains unknown.",
        example: "",
        fix: "Use a formulation that keeps the multipliers where loads depend on them: `lagrange`, `udwadia-kalaba`, `kane` or `gibbs-appell`.",
        corrected: "",
    }
    E0522 "a quantity of a chart where no chart is fixed" {
        what: "A quantity of the explicit Gibbs-Appell equation was asked for, such as R, where the equation has no fixed chart, or the model no constraints.",
        why: "Where the rank of the constraints varies, or where there are too many charts to list, the program finds one at every state by pivoting: the size of R changes with it.",
        example: "",
        fix: "Name a chart with `--dependent` if the rank does not vary, or leave the output out.",
        corrected: "",
    }
}
