import { useState, type ReactNode } from 'react';
import {
  linesWithToken,
  npmLinesWithToken,
  type Client,
  type ClientLines,
  type Target,
} from '../../api/client-lines.ts';
import { useProjects, useUserAccess } from '../../api/directory.ts';
import { useServerStatus } from '../../api/overview.ts';
import { useUpstreams } from '../../api/upstream.ts';
import { scopesOf, usePackages } from '../../api/packages.ts';
import { AddressField } from '../forms/address-field.tsx';
import { IdSelect, pathOption } from '../forms/id-select.tsx';
import { TokenBox, type CopiedPart } from './token-box.tsx';

/** A client, and where it is pointed. */
export interface ClientPlace {
  client: Client;
  target: Target;
}

/** One that its user pastes lines for. A job gets the token alone, as a variable. */
interface PastePlace extends ClientPlace {
  client: Exclude<Client, 'ci'>;
}

/** Whether there are lines to paste; undefined where the place is chosen beside them. */
export function hasLines(place: ClientPlace | undefined): place is PastePlace | undefined {
  return place?.client !== 'ci';
}

interface TokenLinesProps {
  secret: string;
  user: { id: number; username: string };
  /** Where the user points a client; undefined: that is chosen. */
  place: PastePlace | undefined;
  copied: CopiedPart;
  onCopied: () => void;
}

interface LinesProps extends Pick<TokenLinesProps, 'copied' | 'onCopied'> {
  /** Whom to send the lines to; undefined: they are pasted at this computer. */
  recipient: string | undefined;
}

/** What the user of a new token pastes to publish and install with it. */
export function TokenLines({ secret, user, place, ...box }: TokenLinesProps) {
  const status = useServerStatus();
  const [address, setAddress] = useState<string | null>(null);
  if (!status.data) return null;
  const [here = status.data.origin, inNetwork = here] = status.data.origins;
  // The administrator works at this computer; the others at theirs, which `localhost` does not lead to.
  const isOther = user.username !== 'root';
  const chosen = place?.target.origin ?? here;
  // A chosen one is gone when other computers are no longer served.
  const kept = status.data.origins.find((each) => each === address);
  const origin = kept ?? (isOther && chosen === here ? inNetwork : chosen);
  // While only this computer is served, the lines are of no use elsewhere.
  const lines = { ...box, recipient: isOther && origin !== here ? user.username : undefined };
  const field =
    place === undefined || isOther ? (
      <AddressField stays status={status.data} value={origin} onChange={setAddress} />
    ) : null;
  if (place === undefined) {
    return (
      <ChosenLines
        {...lines}
        secret={secret}
        userId={user.id}
        origin={origin}
        field={field}
        firstProject={status.data.defaultProject?.id}
      />
    );
  }
  return (
    <>
      {field}
      <Lines
        {...lines}
        {...linesWithToken(place.client, { ...place.target, origin }, secret)}
        isForAll={place.target.scope === ''}
      />
    </>
  );
}

interface ChosenLinesProps extends LinesProps {
  secret: string;
  userId: number;
  origin: string;
  field: ReactNode;
  firstProject: number | undefined;
}

/** For npm, in a project of the user. */
function ChosenLines({ secret, userId, origin, field, firstProject, ...lines }: ChosenLinesProps) {
  const projects = useProjects();
  const access = useUserAccess(userId);
  const packages = usePackages();
  const [project, setProject] = useState<number | null>(null);
  const own = access.data?.find(({ container }) => container.kind === 'project')?.container.id;
  const projectId = project ?? own ?? firstProject ?? projects.data?.[0]?.id;
  if (!projects.data || access.isPending || packages.isPending || projectId === undefined) return null;
  const found = scopesOf(packages.data?.filter((pack) => pack.projectId === projectId) ?? []);
  // Only where a package has no scope, or none is known, does npm get everything else from here as well.
  const scopes = found.length === 0 || found.includes('') ? [''] : found;
  return (
    <>
      {projects.data.length === 1 ? null : (
        <IdSelect
          label="Project"
          searchable
          options={projects.data.map(pathOption)}
          value={projectId}
          onChange={setProject}
        />
      )}
      {field}
      <Lines {...lines} {...npmLinesWithToken({ origin, projectId }, scopes, secret)} isForAll={scopes.includes('')} />
    </>
  );
}

interface ShownLinesProps extends LinesProps, Pick<ClientLines, 'file' | 'lines'> {
  /** Whether the client is led here for every package, not for some scopes. */
  isForAll: boolean;
}

function Lines({ file, lines, isForAll, recipient, ...box }: ShownLinesProps) {
  const { data: upstreams } = useUpstreams();
  const allPackages =
    upstreams?.length === 0
      ? 'With them, no packages are found but those of this registry.'
      : 'With them, all packages come from this registry.';
  return (
    <>
      {recipient === undefined ? null : (
        <div>
          Send these lines to @{recipient}, for <code>{file}</code>.{isForAll ? ` ${allPackages}` : null}
        </div>
      )}
      <TokenBox {...box} part="lines" title={file} code={lines} isMain />
    </>
  );
}
