import { Fragment, type ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import './snippet.css';

interface SnippetProps {
  code: string;
  /** What is copied, if not the same. */
  copied?: string;
  /** The file of the lines ("~/.npmrc"), or where they are run; without it, the snippet is one line with the button beside it. */
  title?: string;
  /** What the button says it copies. */
  copyLabel: string;
  /** The button, where copying is the main thing to do. */
  button?: ReactNode;
}

/** Lines with a button that copies them. */
export function Snippet({ code, copied = code, title, copyLabel, button }: SnippetProps) {
  const text = (
    // Focusable, so that long lines can be scrolled by keyboard.
    <pre tabIndex={0} aria-label={title ?? copyLabel} role="group">
      <code>{code.includes('\n') ? code : code.split(/(?<=(?:&&|;) )/).map(toStep)}</code>
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
        {button ?? <CopyButton text={copied} label={copyLabel} />}
      </div>
      {text}
    </div>
  );
}

/** A command of a line of several; a line of one has no such pieces. */
function toStep(step: string, index: number, { length }: readonly string[]) {
  // A long line is broken before a variable, and not within its name.
  const parts = step.split(/(?=\$\{)/).map((part, place) => (
    <Fragment key={place}>
      {place === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
  if (length === 1) return parts;
  return (
    <span key={`${index} ${step}`} className="gh-snippet-step">
      {parts}
    </span>
  );
}
