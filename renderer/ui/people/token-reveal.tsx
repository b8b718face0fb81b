import { Button, Group, Modal, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewTokenResult } from '../../../server/contract/directory.ts';
import { copyText } from '../../api/app.ts';
import { RowName } from '../lists/columns.tsx';
import { Notice } from '../feedback/notice.tsx';
import { TokenLines, type ClientPlace } from './token-lines.tsx';
import '../text/snippet.css';

interface TokenRevealProps {
  created: NewTokenResult;
  /** Where its user points a client, if that is known. */
  place?: ClientPlace;
  onClose: () => void;
}

/** Shows a new token, once, and the lines that its user needs. Until it was copied, it stays, as does the screen, and a reload or a close of the window asks first. */
export function TokenReveal({ created: { secret, token }, place, onClose }: TokenRevealProps) {
  const [copied, setCopied] = useState<'token' | 'lines'>();
  const isCopied = copied !== undefined;
  // Left by accident, it would be lost. `windows.ts` asks what a page that is closed cannot ask.
  useBlocker({ shouldBlockFn: () => true, disabled: isCopied });
  return (
    <Modal
      opened
      onClose={onClose}
      title="The new token"
      size={780}
      closeOnEscape={isCopied}
      closeOnClickOutside={isCopied}
      withCloseButton={isCopied}
    >
      <Stack gap={12}>
        <RowName name={token.name} id={`@${token.user.username}`} />
        <div className="gh-snippet">
          <pre tabIndex={0} role="group" aria-label="Token" onCopy={() => setCopied('token')}>
            <code>{secret}</code>
          </pre>
        </div>
        <TokenLines
          secret={secret}
          user={token.user}
          {...(place === undefined ? {} : { place })}
          onCopied={() => setCopied('lines')}
        />
        <Notice>The token cannot be shown again.</Notice>
        <Group justify="flex-end" gap={8} className="gh-dialog-footer">
          {isCopied ? null : (
            <Button variant="default" onClick={onClose}>
              Close without copying
            </Button>
          )}
          <Button
            data-autofocus
            variant={isCopied ? 'default' : 'filled'}
            onClick={() => void copyText(secret).then(() => setCopied('token'))}
          >
            {copied === 'token' ? 'Copied' : 'Copy the token'}
          </Button>
          {/* The second click of a double click on the copy button comes here. */}
          {isCopied ? <Button onClick={({ detail }) => (detail > 1 ? undefined : onClose())}>Done</Button> : null}
        </Group>
      </Stack>
    </Modal>
  );
}
