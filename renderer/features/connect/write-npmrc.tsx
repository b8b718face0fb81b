import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../api/call.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PathField } from '../../ui/path-field.tsx';
import { Snippet } from '../../ui/snippet.tsx';

interface WriteNpmrcProps {
  projectId: number;
  scope: string;
}

/** Writes the lines into a folder's `.npmrc`: first shown, then written, and put back on request. */
export function WriteNpmrc({ projectId, scope }: WriteNpmrcProps) {
  const [folder, setFolder] = useState('');
  const preview = useCall('connect.preview', { handlesErrors: true });
  const write = useCall('connect.write', { handlesErrors: true });
  const undo = useCall('connect.undo', { handlesErrors: true });
  const target = { projectId, scope: scope === '' ? null : scope, folder: folder.trim() };
  const change = (value: string) => {
    setFolder(value);
    preview.reset();
    write.reset();
    undo.reset();
  };
  const error = preview.error ?? write.error ?? undo.error;
  return (
    <section aria-labelledby="connect-write">
      <h2 id="connect-write">Or let Gatehouse write them</h2>
      <p>
        The lines go into the .npmrc of the folder, with a token made for it. Other lines stay, the former file is kept,
        and undoing puts it back and revokes the token.
      </p>
      <form
        className="gh-write"
        onSubmit={(event) => {
          event.preventDefault();
          if (target.folder !== '') preview.mutate(target);
        }}
      >
        <PathField
          label="Folder"
          placeholder="/home/me/project"
          kind="folder"
          request={{ title: 'The folder of the project' }}
          value={folder}
          onChange={change}
        />
        <Button type="submit" variant="default" disabled={target.folder === ''} loading={preview.isPending}>
          Show what changes
        </Button>
        <Button
          variant="default"
          disabled={target.folder === ''}
          loading={undo.isPending}
          onClick={() => {
            preview.reset();
            write.reset();
            undo.mutate({ folder: target.folder });
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
          <Group gap={8} mt={8}>
            <Button loading={write.isPending} onClick={() => write.mutate(target)}>
              Write it
            </Button>
          </Group>
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
          title={undo.data.restored ? 'Put back as it was' : 'Nothing to undo'}
        >
          {undo.data.restored ? 'Its token is revoked.' : 'Gatehouse has not written into this folder.'}
        </Notice>
      ) : null}
    </section>
  );
}
