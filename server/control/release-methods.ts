import { GatehouseError } from '../contract/errors.ts';
import type { ReleaseComparison, WaitingRelease } from '../contract/releases.ts';
import { decideInstance } from '../accounts/access/policy.ts';
import type { Actor } from '../accounts/change.ts';
import type { Account } from '../accounts/access/principal.ts';
import { inSentence } from '../environments/rule-names.ts';
import { describeMissing, type Release } from '../guards/release.ts';
import {
  compareInstalls,
  type ComparedVersion,
  compareVersions,
  type PackageState,
} from '../registry/packuments/compare-versions.ts';
import { listTarball } from '../registry/packuments/tarball-contents.ts';
import { computedLatest } from '../registry/package-version.ts';
import { integrityOf } from '../lib/integrity.ts';
import { nextTurn } from '../lib/turns.ts';
import { noSuchStage } from '../registry/staging.ts';
import type { VersionRow } from '../registry/package-store.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

/** Releases that a list describes between two turns of the event loop. */
const releasesPerTurn = 20;

/** Approvers that are named. */
const mostNamed = 3;
const unnamedApprovers = 'Users who may approve';
const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

/** What waits for approval, for the window. */
export function createReleaseMethods(registry: Registry, actor: Actor): MethodsOf<'releases'> {
  const { releases, releaseDecisions, directory } = registry;
  const require = (id: string): Release => {
    const release = releases.find(id);
    if (!release) throw noSuchStage(id);
    return release;
  };
  return {
    'releases.list': async ({ projectId }) => {
      const projectIds = projectId === undefined ? directory.allProjects().map(({ id }) => id) : [projectId];
      const found: WaitingRelease[] = [];
      const nameApprovers = approverNames(registry);
      for (const [index, subject] of releases.list(projectIds).entries()) {
        if (index % releasesPerTurn === releasesPerTurn - 1) await nextTurn();
        const release = releases.describe(subject);
        if (release) found.push(present(registry, release, nameApprovers));
      }
      return found;
    },
    'releases.compare': ({ id }) => compare(registry, require(id)),
    'releases.approvers': ({ id }) => {
      const release = require(id);
      return [...directory.index.users.values()].flatMap((user) => {
        const counts = releases.mayApprove(release, user.id);
        if (user.state === 'blocked' || (!counts && user.id !== release.requester.id)) return [];
        const choices = (counts ? [null, ...rulesFor(release, user.id)] : []).map((representedAs) => ({
          representedAs,
          missing: releases.missingAfter(release, user.id, representedAs),
        }));
        return [{ ...personOf(user), isWindow: user.id === actor.userId, choices }];
      });
    },
    'releases.approve': async ({ id, comment, representedAs, signedBy }) => {
      const approver = signedBy ? await signIn(registry, signedBy) : actor;
      const { state, release } = await releaseDecisions.approve(id, approver, { comment, representedAs });
      return { state, missing: state === 'waiting' ? describeMissing(release.gates) : '' };
    },
    'releases.reject': async ({ id, comment, signedBy }) => {
      const approver = signedBy ? await signIn(registry, signedBy) : actor;
      await releaseDecisions.reject(id, approver, { comment });
    },
  };
}

/**
 * Another person at the window, by a password or a personal access token.
 * @throws GatehouseError as a login does, `account_blocked`, and `insufficient_scope` for a token that may not write packages.
 */
async function signIn(registry: Registry, { username, secret }: { username: string; secret: string }): Promise<Actor> {
  const user = userOfToken(registry, username, secret) ?? (await registry.npm.passwords.check(username, secret, null));
  if (user.state === 'blocked') throw new GatehouseError('account_blocked');
  return { userId: user.id, username: user.username, origin: 'window', address: null };
}

/** The user, if the secret is a token of theirs; undefined for anything else, which may be a password. */
function userOfToken({ directory }: Registry, username: string, secret: string): Account | undefined {
  try {
    const principal = directory.authenticate(secret);
    if (principal.user.username.toLowerCase() !== username.toLowerCase()) return undefined;
    if (!decideInstance('write_packages', principal).allowed) throw new GatehouseError('insufficient_scope');
    return principal.user;
  } catch (error) {
    if (error instanceof GatehouseError && error.code === 'unauthenticated') return undefined;
    throw error;
  }
}

function present(registry: Registry, release: Release, nameApprovers: (release: Release) => string): WaitingRelease {
  const { id, subject, project, packageName, version, tags, requester, createdAt, gates, approvals } = release;
  const { store } = registry.packages;
  const row = store.findPackage(project.id, packageName);
  const state = row && stateOf(store.versionNames(row.id), storedTags(registry, row.id));
  const published = row && store.findVersion(row.id, version);
  const { size, integrity } =
    subject.kind === 'version'
      ? { size: subject.staged.digests.size, integrity: integrityOf(subject.staged.digests.sha512) }
      : { size: published?.size ?? 0, integrity: published?.integrity ?? '' };
  const personBy = (userId: number) => {
    const user = registry.directory.index.users.get(userId);
    return user ? [personOf(user)] : [];
  };
  return {
    id,
    kind: subject.kind,
    projectId: project.id,
    projectPath: project.fullPath,
    packageId: row?.id ?? null,
    name: packageName,
    version,
    tags: [...tags],
    current: tags.map((tag) => state?.tags[tag] ?? null),
    requester: requester.username,
    createdAt,
    size,
    integrity,
    gates: gates.map(({ environment, tags: guarded, progress }) => ({
      environment,
      tags: [...guarded],
      rules: progress.rules.map(({ rule, required, approvedBy }) => ({
        description: rule ? inSentence(rule, rule.description) : nameApprovers(release),
        group: rule?.ownerPath ?? null,
        required,
        approvedBy: approvedBy.flatMap(personBy),
      })),
    })),
    approvals: approvals.flatMap(({ userId, ...approval }) => personBy(userId).map((user) => ({ user, ...approval }))),
    missing: describeMissing(gates),
  };
}

/** Who may approve where no approval rule says so: by name while they are few. Every user is asked, so once for all that waits alike. */
function approverNames({ releases }: Registry): (release: Release) => string {
  const known = new Map<string, string>();
  return (release) => {
    const [gate] = release.gates;
    if (gate === undefined || release.gates.length > 1) return unnamedApprovers;
    const { projectId, environment, facts } = gate;
    const key = JSON.stringify([projectId, environment, facts.allowSelfApproval, facts.requesterId]);
    const text = known.get(key) ?? namesOf(releases.approvers(release, mostNamed + 1));
    known.set(key, text);
    return text;
  };
}

function namesOf(approvers: readonly Account[]): string {
  const isNamed = approvers.length > 0 && approvers.length <= mostNamed;
  if (!isNamed) return unnamedApprovers;
  return `Who may approve now: ${anyOf.format(approvers.map(({ name, username }) => `${name} (@${username})`))}`;
}

async function compare(registry: Registry, release: Release): Promise<ReleaseComparison> {
  const { store, tarballs } = registry.packages;
  const { subject, packageName, version, tags } = release;
  const row = store.findPackage(release.project.id, packageName);
  const stored = row ? storedTags(registry, row.id) : {};
  const names = row ? store.versionNames(row.id) : [];
  const before = stateOf(names, stored);
  const read = async (found: ComparedRow): Promise<ComparedVersion> => ({
    version: found.version,
    size: found.size,
    unpackedSize: found.unpackedSize,
    manifest: JSON.parse(found.manifest) as Record<string, unknown>,
    files: await listTarball(tarballs.open(found.tarballSha512)),
  });
  const released =
    subject.kind === 'version'
      ? registry.npm.staging.require(release.id).prepared.version
      : row && store.findVersion(row.id, version);
  if (!released) throw new GatehouseError('package_not_found', `Version ${version} no longer exists.`);
  const currentVersion = before.tags[tags[0] ?? 'latest'];
  const current = row && currentVersion !== undefined ? store.findVersion(row.id, currentVersion) : undefined;
  const moved = Object.fromEntries(tags.map((tag) => [tag, version]));
  const after = stateOf([...new Set([...names, version])], { ...stored, ...moved });
  return {
    ...compareVersions(current && (await read(current)), await read(released)),
    installs: compareInstalls(packageName, before, after, tags),
  };
}

type ComparedRow = Pick<VersionRow, 'version' | 'size' | 'unpackedSize' | 'manifest' | 'tarballSha512'>;

function storedTags({ packages: { store } }: Registry, packageId: number): Record<string, string> {
  return Object.fromEntries(store.tagsOf(packageId).map(({ tag, version }) => [tag, version]));
}

/** A package as clients see it: where `latest` was never set, it is computed. */
function stateOf(versions: readonly string[], stored: Readonly<Record<string, string>>): PackageState {
  const latest = stored['latest'] ?? computedLatest(versions);
  return { versions, tags: latest === undefined ? stored : { ...stored, latest } };
}

function rulesFor({ gates }: Release, userId: number): string[] {
  const matching = gates.flatMap(({ facts }) => facts.rules.filter((rule) => facts.matches(userId, rule)));
  return [...new Set(matching.map(({ description }) => description))];
}

function personOf({ id, username, name }: Account) {
  return { id, username, name };
}
