-- Neovim as a client of the server, with the lines of docs/editors.md: opens a model, gets messages, takes a fix, renames, formats.
-- Run by test.sh: nvim --headless --clean -l neovim.lua

local root = vim.fn.fnamemodify(arg[0], ":p:h:h:h")

local function check(condition, what)
  if not condition then
    error(what, 2)
  end
end

-- The setup as the page has it.
local page = table.concat(vim.fn.readfile(root .. "/docs/editors.md"), "\n")
local setup = page:match("## Neovim.-```text\n(.-)```")
check(setup, "docs/editors.md has no setup of Neovim")
assert(load(setup))()

local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
local path = folder .. "/model.eom"
vim.fn.writefile({
  "model m",
  "param m:kg",
  "coord x : m",
  "point P = O + x*N.x",
  "particle A: mass m at P",
  "forse on P: -x*N.x",
}, path)
vim.cmd("filetype on")
vim.cmd.edit(path)
check(vim.bo.filetype == "eom", "the type of the file is " .. vim.bo.filetype)

local function wait(what, ready)
  check(vim.wait(20000, ready, 20), what .. ": nothing came")
end

wait("the server", function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end)
local client = vim.lsp.get_clients({ bufnr = 0 })[1]

-- Messages.
wait("messages", function() return #vim.diagnostic.get(0) == 1 end)
local message = vim.diagnostic.get(0)[1]
check(message.lnum == 5 and message.col == 0 and message.code == "E0003", vim.inspect(message))

-- Its fix.
vim.api.nvim_win_set_cursor(0, { 6, 1 })
vim.lsp.buf.code_action({ apply = true })
wait("the fix", function() return vim.api.nvim_buf_get_lines(0, 5, 6, true)[1] == "force on P: -x*N.x" end)
wait("other messages", function()
  local all = vim.diagnostic.get(0)
  return #all ~= 1 or all[1].code ~= "E0003"
end)

-- A name in all its places.
vim.api.nvim_win_set_cursor(0, { 4, 6 })
vim.lsp.buf.rename("Q")
wait("the new name", function()
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n")
  return text:find("point Q = ", 1, true) and text:find("at Q", 1, true) and text:find("on Q:", 1, true)
end)

-- Layout.
vim.lsp.buf.format({ timeout_ms = 20000 })
check(vim.api.nvim_buf_get_lines(0, 1, 2, true)[1] == "param m : kg", "not formatted")

-- What is known of a name.
local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
local told = client:request_sync("textDocument/hover", params, 20000, 0)
check(told and told.result and told.result.contents.value:find("point", 1, true), vim.inspect(told))

vim.cmd("silent write!")
client:stop()
wait("the end of the server", function() return client:is_stopped() end)
vim.fn.delete(folder, "rf")
print("Neovim " .. tostring(vim.version()) .. ": ok\n")
