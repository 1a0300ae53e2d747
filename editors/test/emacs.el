;;; emacs.el --- Eglot as a client of the server  -*- lexical-binding: t -*-
;; With the lines of docs/editors.md: opens a model, gets messages, renames, formats.
;; Run by test.sh: emacs --batch -l emacs.el

(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)

(defvar root (expand-file-name "../.." (file-name-directory load-file-name)))

(defun wait-for (what ready)
  (let ((tries 400))
    (while (and (> tries 0) (not (funcall ready)))
      (setq tries (1- tries))
      (accept-process-output nil 0.05))
    (unless (funcall ready) (error "%s: nothing came" what))))

;; The setup as the page has it.
(with-temp-buffer
  (insert-file-contents (expand-file-name "docs/editors.md" root))
  (re-search-forward "^## Emacs")
  (re-search-forward "^```text\n")
  (let ((start (point)))
    (re-search-forward "^```")
    (eval-region start (match-beginning 0))))

(let* ((folder (make-temp-file "eom" t))
       (path (expand-file-name "model.eom" folder)))
  (write-region "model m\nparam m:kg\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforse on P: -x*N.x\n" nil path)
  (find-file path)
  (unless (eq major-mode 'eom-mode) (error "the mode is %s" major-mode))
  ;; In a batch nothing starts by itself.
  (unless (eglot-current-server) (apply #'eglot--connect (eglot--guess-contact)))
  (wait-for "the server" (lambda () (eglot-current-server)))
  (unless (eglot-managed-p) (eglot--maybe-activate-editing-mode))
  (flymake-start)
  (wait-for "messages" (lambda () (flymake-diagnostics)))
  (let ((message (car (flymake-diagnostics))))
    (unless (= (line-number-at-pos (flymake-diagnostic-beg message)) 6)
      (error "%S" message)))
  (goto-char (point-min))
  (search-forward "forse")
  (replace-match "force")
  ;; Changes are sent when Emacs is idle, which a batch never is.
  (eglot--signal-textDocument/didChange)
  (goto-char (point-min))
  (search-forward "point P")
  (backward-char)
  (eglot-rename "Q")
  (eglot-format-buffer)
  (unless (equal (buffer-string) "model m\nparam m : kg\ncoord x : m\npoint Q = O + x*N.x\nparticle A: mass m at Q\nforce on Q: -x*N.x\n")
    (error "%s" (buffer-string)))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot-current-server))
  (delete-directory folder t)
  (princ (format "Emacs %s: ok\n" emacs-version)))
