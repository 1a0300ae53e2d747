//! 060x: descriptions of machines in other formats.

super::codes! {
    E0600 "a file that is not XML, or not one that is read" {
        what: "`eomgen import` was given a file that is not well-formed XML, or one with a document type declaration, with very deep nesting or with millions of elements.",
        why: "Descriptions of robots are XML without a document type. Such a declaration could define entities that expand without end or name other files, so none is read.",
        fix: "Correct the file at the place that the message shows, or write out what the declaration defines.",
    }
    E0601 "an element or attribute of a description that is missing or wrong" {
        what: "A required attribute is missing, a number is none or not finite, there are too few or too many numbers, or a word is not one of those that are known.",
        why: "Nothing is guessed: an unreadable mass would otherwise become a mass of 0.",
        fix: "Write what the message says at the place that it shows.",
    }
    E0602 "links and joints that do not fit together" {
        what: "A joint names a link that does not exist, a link has two parents or none of several links is the only root, links form a circle, or two links or joints have the same name; or a file that is included or attached cannot be read.",
        why: "Such a description is a tree: every link but the root is the child of exactly one joint.",
        fix: "Correct the names. A loop is closed in the model, by a `constraint`, after the import.",
    }
    E0603 "something in a description that is not read" {
        what: "The file is in a format that is not known, is a template that would have to be expanded first, or contains something that changes the motion and that the import cannot express.",
        why: "What changes the motion is never left out. What does not, such as meshes and sensors, is left out with a warning (W0605).",
        fix: "Do what the message proposes: expand the template, replace the element, or remove it.",
    }
    E0604 "an imported text that is not a model" {
        what: "The text that the import would have written has errors as a model. No file was written.",
        why: "The import checks what it writes. An error there is a bug in eomgen.",
        fix: "Please report this with the description.",
    }
    W0605 "something in a description that has no place in a model" {
        what: "Something was left out: meshes, collision shapes, sensors, and whatever else does not change the motion, or cannot.",
        why: "A model states mechanics. What was left out stands in the header of the imported text as well.",
        fix: "No action is needed.",
    }
    E0606 "a line that Autolev would not read" {
        what: "A statement of an Autolev file ends too early, or a sign or word stands where another is expected.",
        why: "Statements are read as Autolev's manual has them: one in a line, which goes on in the next after `&`; `%` begins a comment, `>` ends the name of a vector.",
        fix: "Write what the message says at the place that it shows.",
    }
    E0607 "statements of an Autolev file that do not go together" {
        what: "A name is not declared or declared twice, a position, orientation or speed does not follow from what is stated or follows twice, a velocity is not the rate of the position, or nothing moves.",
        why: "A model states positions and orientations, and has velocities from them. So what a file says of both has to be the same; it is compared at random states.",
        fix: "Correct or complete the statement that the message shows.",
    }
}
