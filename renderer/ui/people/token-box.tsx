import { Button } from '@mantine/core';
import { copyText } from '../../api/app.ts';
import { Snippet } from '../text/snippet.tsx';

/** What of a new token was copied last. */
export type CopiedPart = 'token' | 'lines' | undefined;

interface TokenBoxProps {
  part: 'token' | 'lines';
  title: string;
  code: string;
  /** Whether this is what most users need of the dialog. */
  isMain: boolean;
  copied: CopiedPart;
  onCopied: () => void;
}

/** The token, or the lines with it, and a button that says what it copies. */
export function TokenBox({ part, title, code, isMain, copied, onCopied }: TokenBoxProps) {
  const copyLabel = `Copy the ${part}`;
  const button = (
    <Button
      ref={isMain ? focusOnArrival : undefined}
      data-autofocus={isMain || undefined}
      size="compact-sm"
      variant={isMain && copied === undefined ? 'filled' : 'default'}
      onClick={() => void copyText(code).then(onCopied)}
    >
      {copied === part ? 'Copied' : copyLabel}
    </Button>
  );
  return (
    <div onCopy={onCopied}>
      <Snippet title={title} code={code} copyLabel={copyLabel} button={button} />
    </div>
  );
}

/** The lines come after the dialog, which gives the focus only to what is there when it opens. */
function focusOnArrival(button: HTMLButtonElement | null): void {
  button?.focus();
}
