import { Button, List, SegmentedControl, SimpleGrid, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  clientLines,
  clients,
  normalizeScope,
  tokenFromFile,
  tokenVariable,
  type Client,
} from '../../api/client-lines.ts';
import { useProjects } from '../../api/directory.ts';
import { useServerStatus } from '../../api/overview.ts';
import { AddressField } from '../../ui/forms/address-field.tsx';
import { IdSelect, pathOption } from '../../ui/forms/id-select.tsx';
import { Page } from '../../ui/page/page.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { Section } from '../../ui/page/section.tsx';
import { Snippet } from '../../ui/text/snippet.tsx';
import { CreateToken } from '../../ui/people/create-token.tsx';
import { Arrivals } from './arrivals.tsx';
import { SelfTest } from './self-test.tsx';
import { WriteNpmrc } from './write-npmrc.tsx';

const clientLabels: Record<Client, string> = { npm: 'npm', pnpm: 'pnpm', yarn: 'Yarn', bun: 'Bun', ci: 'CI' };

/** The lines that point a client at this registry, to copy or to have written, and how to undo them. */
export function ConnectPage() {
  const status = useServerStatus();
  const projects = useProjects();
  const [client, setClient] = useState<Client>('npm');
  const { project } = useSearch({ from: '/connect' });
  const [chosen, setChosen] = useState<number | null>(null);
  const [creatingToken, setCreatingToken] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const [typedScope, setTypedScope] = useState('');
  const { scope, valid } = normalizeScope(typedScope);

  const error = status.error ?? projects.error;
  const named = projects.data?.find(({ id }) => id === project)?.id;
  const projectId = chosen ?? named ?? status.data?.defaultProject?.id ?? projects.data?.[0]?.id;
  if (error !== null || status.data === undefined || projectId === undefined) {
    return (
      <Page title="Connect">
        <Pending what="the address of the registry" error={error} />
      </Page>
    );
  }
  const { origins, rootTokenFile } = status.data;
  const origin = origins.find((each) => each === address) ?? status.data.origin;
  const hasTokenFile = rootTokenFile !== null && client !== 'ci';
  const target = { origin, projectId, scope };
  const { file, lines, notes } = clientLines(client, target);

  return (
    <Page title="Connect">
      <div className="gh-sections">
        <Section title="Point a client here">
          <SimpleGrid cols={2} spacing={16}>
            <IdSelect
              label="Project"
              description="Packages are published to a project."
              searchable
              options={projects.data?.map(pathOption)}
              value={projectId}
              onChange={setChosen}
            />
            <TextInput
              label="Scope"
              description="Leave empty for all packages."
              placeholder="e.g. @acme"
              value={typedScope}
              error={valid ? undefined : 'A scope is like @acme: lowercase letters, digits, dots and dashes.'}
              onChange={(event) => setTypedScope(event.currentTarget.value)}
            />
            <AddressField status={status.data} value={origin} onChange={setAddress} />
          </SimpleGrid>
        </Section>
        <WriteNpmrc projectId={projectId} scope={scope} client={client} />
        <Section title="Or paste the lines">
          <SegmentedControl
            aria-label="Client"
            mb={12}
            data={clients.map((value) => ({ value, label: clientLabels[value] }))}
            value={client}
            onChange={setClient}
          />
          {client === 'ci' ? null : (
            <p>
              Into the <code>{file}</code> next to your <code>package.json</code>.
            </p>
          )}
          <Snippet title={file} code={lines} copyLabel={`Copy the lines for ${clientLabels[client]}`} />
          {notes.length > 0 ? (
            <List mt={8} fz={12} c="dimmed">
              {notes.map((note) => (
                <List.Item key={note}>{note}</List.Item>
              ))}
            </List>
          ) : null}
        </Section>
        <Section
          title="Set the token"
          text={
            client === 'ci' ? (
              <>
                Create a token for the job, and store it in the CI settings as a masked variable named{' '}
                <code>{tokenVariable}</code>.
              </>
            ) : (
              <>
                The lines read the token from the environment variable <code>{tokenVariable}</code>.
                {rootTokenFile === null
                  ? null
                  : ' Run this in each of your terminals to use the administrator’s token. Other people need tokens of their own.'}
              </>
            )
          }
        >
          {hasTokenFile ? (
            <Snippet title="Terminal" code={tokenFromFile(rootTokenFile)} copyLabel="Copy the command" />
          ) : null}
          <Button variant="default" mt={hasTokenFile ? 12 : 0} onClick={() => setCreatingToken(true)}>
            Create a token
          </Button>
          {creatingToken ? <CreateToken place={{ client, target }} onClose={() => setCreatingToken(false)} /> : null}
        </Section>
        <Arrivals client={client} scope={scope} />
        <SelfTest projectId={projectId} />
        <Section
          title="Disconnect a folder"
          text="Delete the pasted lines, or press Disconnect above. Lockfiles written while connected keep the addresses of this registry."
        />
      </div>
    </Page>
  );
}
