import { ActionIcon } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { copyText } from '../../api/app.ts';

interface CopyButtonProps {
  text: string;
  /** The name of the button. */
  label: string;
}

/** Copies `text` and shows that for a moment. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const { start } = useTimeout(() => setCopied(false), 1600);
  return (
    <ActionIcon
      aria-label={copied ? 'Copied' : label}
      data-tip={copied ? 'Copied' : label}
      className="gh-copy"
      onClick={(event) => {
        event.stopPropagation();
        void copyText(text).then(() => {
          setCopied(true);
          start();
        });
      }}
    >
      {copied ? <IconCheck size={15} color="var(--gh-accent)" /> : <IconCopy size={15} />}
    </ActionIcon>
  );
}
