import { Link } from '@tanstack/react-router';
import type { Dependency, Dependent } from '../../../../server/contract/contents.ts';
import { useDependencies } from '../../../api/packages.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { Pending } from '../../../ui/feedback/pending.tsx';
import '../../../ui/lists/list.css';
import './package-page.css';

const headings: Record<Dependency['kind'], string> = {
  dependencies: 'Dependencies',
  optionalDependencies: 'Optional dependencies',
  peerDependencies: 'Peer dependencies',
  devDependencies: 'Dev dependencies',
};

/** What a version depends on, and what in this registry depends on the package. */
export function DependenciesTab({ packageId, version }: { packageId: number; version: string }) {
  const { data, error } = useDependencies(packageId, version);
  if (error || data === undefined) return <Pending what="the dependencies" error={error} />;
  const kinds = (Object.keys(headings) as Dependency['kind'][]).filter((kind) =>
    data.dependencies.some((each) => each.kind === kind),
  );
  return (
    <div className="gh-dependencies gh-sections">
      {kinds.length === 0 ? <p className="gh-muted">Version {version} has no dependencies.</p> : null}
      {kinds.map((kind) => (
        <section key={kind} aria-label={headings[kind]}>
          <h2>{headings[kind]}</h2>
          <ul className="gh-list">
            <Heads labels={['Package', 'Range', 'In this registry']} />
            {data.dependencies
              .filter((each) => each.kind === kind)
              .map((each) => (
                <DependencyRow key={each.name} dependency={each} />
              ))}
          </ul>
        </section>
      ))}
      <section aria-label="Dependents">
        <h2>Dependents</h2>
        {data.dependents.length === 0 ? (
          <p className="gh-muted">No package’s latest version depends on it.</p>
        ) : (
          <ul className="gh-list">
            <Heads labels={['Package', 'Range', 'Version', 'Kind']} />
            {data.dependents.map((each) => (
              <DependentRow key={`${each.packageId} ${each.kind}`} dependent={each} version={version} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

/** Above the columns; each cell says enough to a screen reader. */
function Heads({ labels }: { labels: readonly string[] }) {
  return (
    <li className="gh-list-heads" aria-hidden="true">
      {labels.map((label) => (
        <span key={label}>{label}</span>
      ))}
    </li>
  );
}

function DependencyRow({ dependency: { name, range, here } }: { dependency: Dependency }) {
  return (
    <li>
      {here === null ? (
        <span className="gh-mono gh-truncate">
          <TailText text={name} tail={18} />
        </span>
      ) : (
        <Link className="gh-mono gh-truncate" to="/packages/$packageId" params={{ packageId: here.packageId }}>
          <TailText text={name} tail={18} />
        </Link>
      )}
      <span className="gh-mono gh-muted">{range}</span>
      {here === null ? (
        <span className="gh-faint">not in this registry</span>
      ) : here.satisfiedBy === null ? (
        <Chip tone="warn">no matching version</Chip>
      ) : (
        <span className="gh-mono gh-muted">{here.satisfiedBy}</span>
      )}
    </li>
  );
}

function DependentRow({ dependent, version }: { dependent: Dependent; version: string }) {
  return (
    <li>
      <Link className="gh-mono gh-truncate" to="/packages/$packageId" params={{ packageId: dependent.packageId }}>
        <TailText text={dependent.name} tail={18} />
      </Link>
      <span>
        <span className="gh-mono gh-muted">{dependent.range}</span>
        {dependent.satisfied ? null : (
          <>
            {' '}
            <Chip tone="warn" detail={`${version} does not match this range`}>
              Out of range
            </Chip>
          </>
        )}
      </span>
      <span className="gh-mono gh-muted gh-truncate">
        <TailText text={dependent.version} tail={8} />
      </span>
      <span className="gh-faint">{headings[dependent.kind].toLowerCase()}</span>
    </li>
  );
}
