fn main() -> Result<(), eomgen::BuildError> {
    eomgen::Builder::new()
        .model("models/sleigh.eom")
        .method("gibbs-appell")
        .output("tangent_projector")
        .emit()?;
    Ok(())
}
