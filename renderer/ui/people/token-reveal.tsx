import { Button, Group, Modal, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewTokenResult } from '../../../server/contract/directory.ts';
import { copyText } from '../../api/app.ts';
import { RowName } from '../lists/columns.tsx';
import { Notice } from '../feedback/notice.tsx';
import '../text/snippet.css';

interface TokenRevealProps {
  created: NewTokenResult;
  onClose: () => void;
}

/** Shows a new token, once. Until it was copied, it stays, as does the screen, and a reload or a close of the window asks first. */
export function TokenReveal({ created: { secret, token }, onClose }: TokenRevealProps) {
  const [copied, setCopied] = useState(false);
  // Left by accident, it would be lost. `windows.ts` asks what a page that is closed cannot ask.
  useBlocker({ shouldBlockFn: () => true, disabled: copied });
  return (
    <Modal
      opened
      onClose={onClose}
      title="The new token"
      size={520}
      closeOnEscape={copied}
      closeOnClickOutside={copied}
      withCloseButton={copied}
    >
      <Stack gap={12}>
        <RowName name={token.name} id={`@${token.user.username}`} />
        <div className="gh-snippet">
          <pre tabIndex={0} role="group" aria-label="Token" onCopy={() => setCopied(true)}>
            <code>{secret}</code>
          </pre>
        </div>
        <Notice>Copy it now. It cannot be shown again.</Notice>
        <Group justify="flex-end" gap={8} className="gh-dialog-footer">
          <Button variant="default" onClick={onClose}>
            {copied ? 'Done' : 'Close without copying'}
          </Button>
          <Button data-autofocus onClick={() => void copyText(secret).then(() => setCopied(true))}>
            {copied ? 'Copied' : 'Copy the token'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
