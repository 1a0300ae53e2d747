//! Starts `eomgen lsp`, which is looked for in PATH unless the settings name another program. What a model means is the server's business.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{
    Command, Extension, LanguageServerId, Result, Worktree, register_extension,
};

struct Eomgen;

impl Extension for Eomgen {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        tree: &Worktree,
    ) -> Result<Command> {
        let settings = LspSettings::for_worktree(server.as_ref(), tree)?;
        let own = settings.binary.and_then(|binary| binary.path);
        let command = own.or_else(|| tree.which("eomgen")).ok_or(
            "there is no program `eomgen` in PATH; install it, or set `lsp.eomgen.binary.path`",
        )?;
        Ok(Command {
            command,
            args: vec!["lsp".into()],
            env: tree.shell_env(),
        })
    }
}

register_extension!(Eomgen);
