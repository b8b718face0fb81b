import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../api/call.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/notice.tsx';
import { PathField } from '../../ui/forms/path-field.tsx';
import { Section } from '../../ui/page/section.tsx';
import { Snippet } from '../../ui/text/snippet.tsx';

interface WriteNpmrcProps {
  projectId: number;
  scope: string;
}

/** Writes the lines into a folder's `.npmrc`: previewed, written, and reverted on request. */
export function WriteNpmrc({ projectId, scope }: WriteNpmrcProps) {
  const [folder, setFolder] = useState('');
  const preview = useCall('connect.preview', { handlesErrors: true });
  const write = useCall('connect.write', { handlesErrors: true });
  const undo = useCall('connect.undo', { handlesErrors: true });
  const target = { projectId, scope: scope === '' ? null : scope, folder };
  const reset = () => {
    preview.reset();
    write.reset();
  };
  const error = preview.error ?? write.error ?? undo.error;
  return (
    <Section
      title="Or let Gatehouse write them"
      text="Writes the lines into the .npmrc of the folder, with a new token. Other lines stay. Undo restores the previous file and revokes the token."
    >
      <Stack gap={12} align="stretch">
        <form
          className="gh-form-row"
          onSubmit={(event) => {
            event.preventDefault();
            if (folder !== '') preview.mutate(target);
          }}
        >
          <PathField
            label="Folder"
            kind="folder"
            request={{ title: 'The folder of the project' }}
            value={folder}
            onChange={(value) => {
              setFolder(value);
              reset();
              undo.reset();
            }}
          />
          <Button type="submit" variant="default" disabled={folder === ''} loading={preview.isPending}>
            Preview
          </Button>
          <Button
            variant="default"
            disabled={folder === ''}
            loading={undo.isPending}
            onClick={() => {
              reset();
              undo.mutate({ folder });
            }}
          >
            Undo
          </Button>
        </form>
        {error ? <ErrorNotice error={error} /> : null}
        {preview.data && !write.data ? (
          <>
            <Snippet
              title={preview.data.before === null ? `${preview.data.file} (new)` : preview.data.file}
              code={preview.data.after}
              copyLabel="Copy the file"
            />
            <Button w="fit-content" loading={write.isPending} onClick={() => write.mutate(target)}>
              Write the file
            </Button>
          </>
        ) : null}
        {write.data ? (
          <Notice tone="done" title="Written">
            <span className="gh-mono">{write.data.file}</span>
          </Notice>
        ) : null}
        {undo.data ? (
          <Notice
            tone={undo.data.restored ? 'done' : 'plain'}
            title={undo.data.restored ? 'Restored' : 'Nothing to undo'}
          >
            {undo.data.restored ? 'Its token is revoked.' : 'Gatehouse has not written to this folder.'}
          </Notice>
        ) : null}
      </Stack>
    </Section>
  );
}
