//! The requests of the protocol, each with the function that answers it, and what the server says it can do. Knows nothing of connections.

use super::names::{File, Mention};
use super::place::{path, uri};
use super::world::World;
use super::{
    completion, context, diagnostics, functions, hints, hover, layout, outline, rename, rust,
    tokens,
};
use lsp_server::{ErrorCode, Request};
use lsp_types::request as ask;
use lsp_types::*;
use serde_json::Value;
use std::rc::Rc;

/// Why a request has no answer.
#[derive(Debug)]
pub(super) struct Wrong(pub(super) ErrorCode, pub(super) String);

pub(super) type Answer = Result<Value, Wrong>;

/// What the editor can do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    /// It takes proposals with places to fill in.
    snippets: bool,
    /// It has the command of the code lens.
    shows: bool,
    /// It asks for inlay hints again when it is told to.
    pub(super) refreshes: bool,
}

impl Client {
    pub(super) fn of(params: &InitializeParams) -> Self {
        let document = params.capabilities.text_document.as_ref();
        let item = document
            .and_then(|d| d.completion.as_ref())
            .and_then(|c| c.completion_item.as_ref());
        let commands = params
            .initialization_options
            .as_ref()
            .and_then(|options| options.get("commands"))
            .and_then(Value::as_array);
        Self {
            snippets: item.and_then(|item| item.snippet_support) == Some(true),
            refreshes: params
                .capabilities
                .workspace
                .as_ref()
                .and_then(|workspace| workspace.inlay_hint.as_ref())
                .and_then(|hints| hints.refresh_support)
                == Some(true),
            shows: commands.is_some_and(|all| all.iter().any(|c| c == outline::SHOW)),
        }
    }
}

/// What the server offers.
pub(super) fn capabilities(client: &Client) -> ServerCapabilities {
    let legend = SemanticTokensLegend {
        token_types: tokens::TYPES.to_vec(),
        token_modifiers: tokens::MODIFIERS.to_vec(),
    };
    let words = |all: &[&str]| Some(all.iter().map(|s| (*s).to_owned()).collect());
    ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(TextDocumentSyncSaveOptions::Supported(true)),
                ..TextDocumentSyncOptions::default()
            },
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&[".", ":", "[", "(", "\""]),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: words(&["(", ","]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend,
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            },
        )),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: client.shows.then_some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        ..ServerCapabilities::default()
    }
}

/// Reads the parameters of a request, and writes its answer.
fn reply<R: ask::Request>(
    params: Value,
    answer: impl FnOnce(R::Params) -> Result<R::Result, Wrong>,
) -> Answer {
    let invalid = |error: serde_json::Error| Wrong(ErrorCode::InvalidParams, error.to_string());
    let told = answer(serde_json::from_value(params).map_err(invalid)?)?;
    let failed = |error: serde_json::Error| Wrong(ErrorCode::InternalError, error.to_string());
    serde_json::to_value(told).map_err(failed)
}

/// Answers a request.
pub(super) fn answer(world: &mut World, client: &Client, request: Request) -> Answer {
    use ask::Request as _;
    let Request { method, params, .. } = request;
    let address = params.pointer("/textDocument/uri").and_then(Value::as_str);
    if address.is_some_and(rust::is_rust) {
        // Of a Rust file only its attributes are ours.
        return match method.as_str() {
            ask::HoverRequest::METHOD => {
                reply::<ask::HoverRequest>(params, |p| Ok(hover_in_rust(world, &p)))
            }
            _ => Ok(Value::Null),
        };
    }
    match method.as_str() {
        ask::HoverRequest::METHOD => {
            reply::<ask::HoverRequest>(params, |p| Ok(hover_at(world, &p)))
        }
        ask::Completion::METHOD => reply::<ask::Completion>(params, |p| {
            Ok(proposals(world, &p.text_document_position, client.snippets))
        }),
        ask::SignatureHelpRequest::METHOD => {
            reply::<ask::SignatureHelpRequest>(params, |p| Ok(signature(world, &p)))
        }
        ask::GotoDefinition::METHOD => {
            reply::<ask::GotoDefinition>(params, |p| Ok(definition(world, &p)))
        }
        ask::References::METHOD => reply::<ask::References>(params, |p| Ok(references(world, &p))),
        ask::DocumentHighlightRequest::METHOD => {
            reply::<ask::DocumentHighlightRequest>(params, |p| Ok(highlights(world, &p)))
        }
        ask::PrepareRenameRequest::METHOD => {
            reply::<ask::PrepareRenameRequest>(params, |p| Ok(renamed(world, &p)))
        }
        ask::Rename::METHOD => reply::<ask::Rename>(params, |p| change_name(world, &p)),
        _ => answer_on_file(world, method, params),
    }
}

/// Answers a request on a file as a whole.
fn answer_on_file(world: &mut World, method: String, params: Value) -> Answer {
    use ask::Request as _;
    match method.as_str() {
        ask::Formatting::METHOD => reply::<ask::Formatting>(params, |p| {
            let file = world.file(&path(&p.text_document.uri));
            Ok(file.map(|file| layout::edits(&file.text, None)))
        }),
        ask::RangeFormatting::METHOD => reply::<ask::RangeFormatting>(params, |p| {
            let file = world.file(&path(&p.text_document.uri));
            let lines = Some((p.range.start.line, p.range.end.line));
            Ok(file.map(|file| layout::edits(&file.text, lines)))
        }),
        ask::DocumentSymbolRequest::METHOD => reply::<ask::DocumentSymbolRequest>(params, |p| {
            let file = world.file(&path(&p.text_document.uri));
            Ok(file.map(|file| DocumentSymbolResponse::Nested(outline::symbols(&file))))
        }),
        ask::FoldingRangeRequest::METHOD => reply::<ask::FoldingRangeRequest>(params, |p| {
            let file = world.file(&path(&p.text_document.uri));
            Ok(file.map(|file| outline::folds(&file)))
        }),
        ask::CodeActionRequest::METHOD => reply::<ask::CodeActionRequest>(params, |p| {
            let path = path(&p.text_document.uri);
            Ok(Some(diagnostics::actions(world, &path, p.range)))
        }),
        ask::CodeLensRequest::METHOD => reply::<ask::CodeLensRequest>(params, |p| {
            let uri = p.text_document.uri;
            let file = world.file(&path(&uri));
            Ok(file.map(|file| outline::lenses(&file, uri.as_str())))
        }),
        ask::InlayHintRequest::METHOD => reply::<ask::InlayHintRequest>(params, |p| {
            let file = world.file(&path(&p.text_document.uri));
            Ok(file.map(|file| hints::hints(world, &file, p.range)))
        }),
        ask::SemanticTokensFullRequest::METHOD => {
            reply::<ask::SemanticTokensFullRequest>(params, |p| {
                Ok(colours(world, &p.text_document.uri, None).map(SemanticTokensResult::Tokens))
            })
        }
        ask::SemanticTokensRangeRequest::METHOD => {
            reply::<ask::SemanticTokensRangeRequest>(params, |p| {
                let all = colours(world, &p.text_document.uri, Some(p.range));
                Ok(all.map(SemanticTokensRangeResult::Tokens))
            })
        }
        #[cfg(test)]
        "eomgen/panic" => panic!("asked for"),
        _ => Err(Wrong(
            ErrorCode::MethodNotFound,
            format!("`{method}` is not offered"),
        )),
    }
}

/// The file and the byte of a place.
fn place(world: &mut World, at: &TextDocumentPositionParams) -> Option<(Rc<File>, usize)> {
    let file = world.file(&path(&at.text_document.uri))?;
    let offset = file.text.offset(at.position);
    Some((file, offset))
}

/// The name at a place.
fn mention(world: &mut World, at: &TextDocumentPositionParams) -> Option<(Rc<File>, Mention)> {
    let (file, offset) = place(world, at)?;
    let mention = file.mention_at(offset)?.clone();
    Some((file, mention))
}

fn hover_at(world: &mut World, p: &HoverParams) -> Option<Hover> {
    let (file, mention) = mention(world, &p.text_document_position_params)?;
    let value = hover::text(world, &file, &mention)?;
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: Some(file.text.range(mention.span)),
    })
}

fn hover_in_rust(world: &mut World, p: &HoverParams) -> Option<Hover> {
    let at = &p.text_document_position_params;
    let path = path(&at.text_document.uri);
    let text = world.rust.get(&path)?.clone();
    let offset = text.offset(at.position);
    let (value, range) = rust::hover(world, &path, &text, offset)?;
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: Some(range),
    })
}

fn proposals(
    world: &mut World,
    at: &TextDocumentPositionParams,
    snippets: bool,
) -> Option<CompletionResponse> {
    let (file, offset) = place(world, at)?;
    let items = completion::at(world, &file, offset, snippets);
    Some(CompletionResponse::Array(items))
}

fn signature(world: &mut World, p: &SignatureHelpParams) -> Option<SignatureHelp> {
    let (file, offset) = place(world, &p.text_document_position_params)?;
    let call = context::call(&file, offset)?;
    let function = functions::find(&call.name)?;
    let parameters = function
        .arguments
        .iter()
        .map(|(name, _)| ParameterInformation {
            label: ParameterLabel::Simple(name.clone()),
            documentation: None,
        });
    let last = function.arguments.len().saturating_sub(1);
    let active = u32::try_from(call.argument.min(last)).ok();
    Some(SignatureHelp {
        signatures: vec![SignatureInformation {
            label: function.text.clone(),
            documentation: Some(Documentation::String(function.docs.to_owned())),
            parameters: Some(parameters.collect()),
            active_parameter: active,
        }],
        active_signature: Some(0),
        active_parameter: active,
    })
}

fn definition(world: &mut World, p: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let (file, mention) = mention(world, &p.text_document_position_params)?;
    if let Some(part) = part(world, &file, &mention) {
        let start = Location::new(uri(&part)?, Range::default());
        return Some(GotoDefinitionResponse::Array(vec![start]));
    }
    let symbol = world.symbol(&file, &mention)?;
    let target = world.file(&symbol.path)?;
    let address = uri(&symbol.path)?;
    let all = world.declarations(&symbol);
    let places = all
        .iter()
        .map(|d| Location::new(address.clone(), target.text.range(d.span)));
    Some(GotoDefinitionResponse::Array(places.collect()))
}

/// The file of a part whose path is named here.
fn part(world: &mut World, file: &Rc<File>, mention: &Mention) -> Option<String> {
    if mention.role != super::names::Role::Path {
        return None;
    }
    let full = crate::model::expand::join(&file.path, &mention.name);
    world.file(&full).map(|file| file.path.clone())
}

fn references(world: &mut World, p: &ReferenceParams) -> Option<Vec<Location>> {
    let (file, mention) = mention(world, &p.text_document_position)?;
    let symbol = world.symbol(&file, &mention)?;
    let declared = world.declarations(&symbol);
    let mut found = Vec::new();
    for (file, spans) in world.mentions(&symbol) {
        let address = uri(&file.path)?;
        for span in spans {
            let own = file.path == symbol.path && declared.iter().any(|d| d.span == span);
            if p.context.include_declaration || !own {
                found.push(Location::new(address.clone(), file.text.range(span)));
            }
        }
    }
    Some(found)
}

fn highlights(world: &mut World, p: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let (file, mention) = mention(world, &p.text_document_position_params)?;
    let symbol = world.symbol(&file, &mention)?;
    let same = file.mentions.iter().filter(|m| m.name == symbol.name);
    let own = same.filter(|m| world.symbol(&file, m).as_ref() == Some(&symbol));
    let shown = own.map(|m| DocumentHighlight {
        range: file.text.range(m.span),
        kind: None,
    });
    Some(shown.collect())
}

fn renamed(world: &mut World, at: &TextDocumentPositionParams) -> Option<PrepareRenameResponse> {
    let (file, mention) = mention(world, at)?;
    world.symbol(&file, &mention)?;
    Some(PrepareRenameResponse::Range(file.text.range(mention.span)))
}

fn change_name(world: &mut World, p: &RenameParams) -> Result<Option<WorkspaceEdit>, Wrong> {
    let Some((file, mention)) = mention(world, &p.text_document_position) else {
        return Err(Wrong(
            ErrorCode::RequestFailed,
            "there is no name here".to_owned(),
        ));
    };
    rename::rename(world, &file, &mention, &p.new_name)
        .map(Some)
        .map_err(|why| Wrong(ErrorCode::RequestFailed, why))
}

fn colours(world: &mut World, address: &Uri, range: Option<Range>) -> Option<SemanticTokens> {
    let file = world.file(&path(address))?;
    Some(SemanticTokens {
        result_id: None,
        data: tokens::tokens(world, &file, range),
    })
}
