import { Button, Group, Modal, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewTokenResult } from '../../../server/contract/directory.ts';
import { RowName } from '../lists/columns.tsx';
import { Notice } from '../feedback/notice.tsx';
import { TokenBox, type CopiedPart } from './token-box.tsx';
import { hasLines, TokenLines, type ClientPlace } from './token-lines.tsx';

interface TokenRevealProps {
  created: NewTokenResult;
  /** Where its user points a client, if that is known. */
  place?: ClientPlace;
  onClose: () => void;
}

/** Shows a new token, once, and the lines that its user needs. Until it was copied, it stays, as does the screen, and a reload or a close of the window asks first. */
export function TokenReveal({ created: { secret, token }, place, onClose }: TokenRevealProps) {
  const [copied, setCopied] = useState<CopiedPart>();
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
      <div className="gh-dialog-form">
        <Stack gap={10} className="gh-dialog-scroll">
          <RowName name={token.name} id={`@${token.user.username}`} />
          <TokenBox
            part="token"
            title="Token"
            code={secret}
            isMain={!hasLines(place)}
            copied={copied}
            onCopied={() => setCopied('token')}
          />
          {hasLines(place) ? (
            <TokenLines
              secret={secret}
              user={token.user}
              place={place}
              copied={copied}
              onCopied={() => setCopied('lines')}
            />
          ) : null}
          <Notice>The token cannot be shown again.</Notice>
        </Stack>
        <Group justify="flex-end" gap={8} className="gh-dialog-footer">
          {isCopied ? (
            <Button onClick={onClose}>Done</Button>
          ) : (
            <Button variant="default" onClick={onClose}>
              Close without copying
            </Button>
          )}
        </Group>
      </div>
    </Modal>
  );
}
