//! What a value depends on: enough to say whether it may stand where it stands.

/// Motion, time and inputs in a value, as written (nothing is cancelled).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    /// Highest time derivative of a coordinate: `None` without any, 0 coordinates, 1 rates and
    /// speeds, 2 accelerations.
    pub order: Option<u8>,
    /// Whether a declared speed is mentioned.
    pub speed: bool,
    /// Whether time is mentioned.
    pub time: bool,
    /// Whether an input, or a state, is mentioned: of neither mechanics knows more than the value.
    pub input: bool,
    /// Whether a state is mentioned; `input` holds too.
    pub state: bool,
    /// Degree as a polynomial in the rates and speeds; `None` if it is no polynomial in them.
    pub degree: Option<u32>,
    /// Whether a declared reaction is mentioned.
    pub joint: bool,
    /// Degree as a polynomial in the reactions of constraints; `None` if it is no polynomial in them.
    pub reactions: Option<u32>,
}

impl Default for Content {
    fn default() -> Self {
        Self::CONSTANT
    }
}

impl Content {
    /// Numbers and parameters.
    pub const CONSTANT: Content = Content {
        order: None,
        speed: false,
        time: false,
        input: false,
        state: false,
        joint: false,
        degree: Some(0),
        reactions: Some(0),
    };
    /// Time itself.
    pub const TIME: Content = Content {
        time: true,
        ..Self::CONSTANT
    };
    /// An input.
    pub const INPUT: Content = Content {
        input: true,
        ..Self::CONSTANT
    };
    /// A state.
    pub const STATE: Content = Content {
        state: true,
        ..Self::INPUT
    };
    /// The rate of a state. Like accelerations it stands on the left of the equations: outputs may ask for it.
    pub const STATE_RATE: Content = Content {
        order: Some(2),
        degree: None,
        ..Self::STATE
    };
    /// A coordinate.
    pub const COORD: Content = Content {
        order: Some(0),
        ..Self::CONSTANT
    };
    /// A declared speed.
    pub const SPEED: Content = Content {
        order: Some(1),
        speed: true,
        degree: Some(1),
        ..Self::CONSTANT
    };

    /// The reaction of a constraint.
    pub const REACTION: Content = Content {
        order: Some(0),
        reactions: Some(1),
        ..Self::CONSTANT
    };

    /// A declared reaction.
    pub const JOINT: Content = Content {
        joint: true,
        ..Self::REACTION
    };

    /// Whether the reaction of a constraint is mentioned.
    pub fn has_reaction(self) -> bool {
        self.reactions != Some(0)
    }

    /// That of which nothing but the value is known, for messages.
    pub fn external(self) -> &'static str {
        if self.state { "a state" } else { "an input" }
    }

    /// Everything that either mentions, with the given degree.
    fn merge(self, other: Content, degree: Option<u32>) -> Content {
        Content {
            order: self.order.max(other.order),
            speed: self.speed || other.speed,
            time: self.time || other.time,
            input: self.input || other.input,
            state: self.state || other.state,
            joint: self.joint || other.joint,
            degree,
            reactions: self.reactions.zip(other.reactions).map(|(a, b)| a.max(b)),
        }
    }

    /// Of a sum.
    pub fn plus(self, other: Content) -> Content {
        let degree = self.degree.zip(other.degree).map(|(a, b)| a.max(b));
        self.merge(other, degree)
    }

    /// Of a product.
    pub fn times(self, other: Content) -> Content {
        let degree = self
            .degree
            .zip(other.degree)
            .and_then(|(a, b)| a.checked_add(b));
        let reactions = self
            .reactions
            .zip(other.reactions)
            .and_then(|(a, b)| a.checked_add(b));
        Content {
            reactions,
            ..self.merge(other, degree)
        }
    }

    /// Of a quotient.
    pub fn over(self, other: Content) -> Content {
        let degree = self.degree.filter(|_| other.degree == Some(0));
        let reactions = self.reactions.filter(|_| other.reactions == Some(0));
        Content {
            reactions,
            ..self.merge(other, degree)
        }
    }

    /// Of a whole power.
    pub fn power(self, exponent: u32) -> Content {
        Content {
            degree: self.degree.and_then(|d| d.checked_mul(exponent)),
            reactions: self.reactions.and_then(|d| d.checked_mul(exponent)),
            ..self
        }
    }

    /// Of a function that is no polynomial.
    pub fn opaque(self) -> Content {
        Content {
            degree: self.degree.filter(|d| *d == 0),
            reactions: self.reactions.filter(|d| *d == 0),
            ..self
        }
    }

    /// Of a time derivative.
    pub fn rate(self) -> Content {
        let degree = match self.order {
            None => Some(0),
            Some(0) => Some(1),
            // Linear in the accelerations; what it is in the rates nobody asks.
            Some(_) => None,
        };
        Content {
            order: self.order.map(|o| o.saturating_add(1)),
            degree,
            ..self
        }
    }

    /// Whether it never changes.
    pub fn is_constant(self) -> bool {
        self.order.is_none() && !self.time && !self.input && !self.has_reaction()
    }
}
