import { CopyButton } from './copy-button.tsx';
import './snippet.css';

interface SnippetProps {
  code: string;
  /** What is copied, if not the same. */
  copied?: string;
  /** Where the lines belong ("~/.npmrc"); without it the snippet is one line with its button beside it. */
  title?: string;
  /** What the button says it copies. */
  copyLabel: string;
}

/** Lines to copy. */
export function Snippet({ code, copied = code, title, copyLabel }: SnippetProps) {
  const text = (
    // The lines may be wider than their box, and then have to be scrolled by keyboard too.
    <pre className="gh-scroll" tabIndex={0} aria-label={title ?? copyLabel} role="group">
      <code>{code}</code>
    </pre>
  );
  if (title === undefined) {
    return (
      <div className="gh-snippet" data-inline>
        {text}
        <CopyButton text={copied} label={copyLabel} />
      </div>
    );
  }
  return (
    <div className="gh-snippet">
      <div className="gh-snippet-title">
        <span className={/[./]/.test(title) ? 'gh-mono gh-truncate' : 'gh-truncate'}>{title}</span>
        <span className="gh-spacer" />
        <CopyButton text={copied} label={copyLabel} />
      </div>
      {text}
    </div>
  );
}
