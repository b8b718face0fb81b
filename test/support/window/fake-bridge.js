// The in-page stand-in for window.gatehouse: enough of a server to look at every screen without one. Runs before the page's own
// scripts, as text, so it imports nothing. `window.fakeSeed` says what there is: full, empty, many, long (as much of everything, and
// under as long names, as a registry may hold), broken (the server answers with errors), slow (it never answers), failed, moving, restarting,
// starting.
(() => {
  const seed = window.fakeSeed ?? 'full';
  const long = seed === 'long';
  const now = Date.now();
  const minute = 60_000;
  const listeners = { event: new Set(), state: new Set(), command: new Set(), settings: new Set(), updates: new Set() };
  const updates = {
    state:
      seed === 'empty'
        ? { phase: 'unknown' }
        : {
            phase: 'available',
            offer: {
              version: '0.2.0',
              releasedAt: '2026-11-20T09:00:00.000Z',
              notes: '- Mirrors of whole scopes\n- Half the memory when idle',
              fileName: 'Gatehouse-0.2.0.AppImage',
              size: 104_857_600,
              address: 'https://downloads.acme.example/gatehouse/Gatehouse-0.2.0.AppImage',
            },
          },
    feed: seed === 'empty' ? null : 'https://downloads.acme.example/gatehouse/',
    builtInFeed: null,
    canReplaceItself: seed === 'full',
  };
  let seq = 0;
  const emit = (topic, payload) => {
    for (const listener of listeners.event) listener({ seq: ++seq, topic, payload });
  };

  const readme = `# @acme/ui

Buttons, fields and dialogs for Acme's products. [![build](https://ci.example/b.svg)](https://ci.example)

## Install

\`\`\`bash
npm install @acme/ui
\`\`\`

## Use

\`\`\`ts
import { Button, type ButtonProps } from '@acme/ui';

export function Save(props: ButtonProps) {
  // Primary actions are unique per screen.
  return <Button tone="primary" {...props}>Save {42}</Button>;
}
\`\`\`

| Component | Since | Notes |
|---|---|---|
| Button | 1.0.0 | three tones |
| Dialog | 2.1.0 | traps focus, \`Esc\` closes |

- [x] Keyboard
- [ ] Right to left

> Works without a network, like everything else here.
`;
  const longReadme = `# A heading that goes on for longer than the column is wide, since nobody told its author to stop writing\n\n${readme}\n${Array.from({ length: 60 }, (_, index) => `## Part ${index + 1}\n\nEvery part explains itself at some length, names \`a.very.long.identifier.that.cannot.be.broken.anywhere.at.all.in.this.line.number.${index}\`, and ends with a list.\n\n- one\n- two, with https://example.com/a/very/long/address/without/any/space/in/it/that/has/to/go/somewhere/${index}\n\n\`\`\`js\nconst wide = '${'x'.repeat(160)}';\n\`\`\`\n`).join('\n')}`;
  const names = [
    long ? '@an-organisation-with-a-name/that-publishes-packages-under-names-which-nobody-can-read-aloud' : '@acme/ui',
    '@acme/tokens',
    '@acme/eslint-config',
    '@acme/http',
    '@acme/release-tool',
    '@labs/sim-core',
    '@labs/plotting',
    'left-shelf',
    'tiny-queue',
    'wire-format',
    'yaml-lite',
    'zed-index',
  ];
  const described = [
    'Buttons, fields and dialogs for Acme’s products',
    'Colours, spacing and type as variables',
    'Shared lint rules',
    'Typed client with retries and deadlines',
    'Cuts, tags and announces releases',
    'Deterministic simulation kernel',
    'Charts for simulations',
    'Pads on the left',
    'A queue in forty lines',
    'Compact binary encoding',
    'The YAML one needs',
    'Sorted index on disk',
  ];
  const count = seed === 'empty' ? 0 : seed === 'many' ? 10_000 : names.length;
  const versionsOf = (id) =>
    Array.from({ length: long && id === 1 ? 1000 : 3 + ((id * 7) % 9) }, (_, index) => ({
      id: id * 1000 + index,
      version:
        long && id === 1
          ? index % 7 === 3
            ? `12.${1000 - index}.0-canary.20261121.3f9a1c0b7e`
            : `12.${1000 - index}.0`
          : index === 0 && id % 3 === 1
            ? '3.0.0-beta.2'
            : `${2 - Math.min(2, index >> 2)}.${9 - index}.${(index * 3) % 5}`,
      publishedAt: now - (index * 5 + id) * 1700 * minute - 12 * minute,
      publisher: ['root', 'ada', 'grace'][index % 3],
      size: 18_000 + id * 7100 - (index % 20) * 900,
      fileCount: 14 + index,
      unpackedSize: 94_000 + id * 9100,
      integrity: 'sha512-' + 'q'.repeat(86) + '==',
      shasum: 'a'.repeat(40),
      deprecated: index === 4 ? 'Leaks a timer. Use 2.6 or later.' : null,
      downloads: 40 * (index + 1),
    }));
  const packages = Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    const versions = versionsOf(id);
    const release = versions.find((each) => !each.version.includes('-'));
    return {
      id,
      projectId: index % 5 === 4 ? 2 : 1,
      projectPath: index % 5 === 4 ? 'labs/tools' : 'local/packages',
      name: seed === 'many' ? `@scope-${index % 40}/package-${String(index).padStart(5, '0')}` : names[index],
      description: long
        ? `${described[index % described.length]}, described by somebody who wanted every reader to know all of it before they had opened the page`
        : described[index % described.length],
      latest: release.version,
      versionCount: versions.length,
      tagCount: long ? 100 : 2,
      totalSize: versions.reduce((sum, each) => sum + each.size, 0),
      publishedAt: versions[0].publishedAt,
      deprecated: index === 7,
      readme: long ? longReadme : readme,
      license: 'MIT',
      homepage: 'https://acme.example/ui',
      repository: 'git+https://git.acme.example/front/ui.git',
      keywords: long
        ? Array.from({ length: 30 }, (_, at) => `keyword-${at}`)
        : ['ui', 'react', 'components', 'accessible'],
      versions,
      tags: [
        { tag: 'latest', version: release.version, updatedAt: now },
        { tag: 'next', version: versions[0].version, updatedAt: now },
        { tag: 'lts', version: versions.at(-1).version, updatedAt: now },
        ...(long && id === 1
          ? Array.from({ length: 97 }, (_, at) => ({
              tag: at % 9 === 4 ? `release-candidate-of-the-quarter-${at}` : `branch-${at}`,
              version: versions[at * 10].version,
              updatedAt: now,
            }))
          : []),
      ],
    };
  });
  const projects = [
    { id: 1, name: 'packages', fullPath: 'local/packages', visibility: 'private' },
    { id: 2, name: 'tools', fullPath: 'labs/tools', visibility: 'private' },
  ];
  const users = [
    { id: 1, username: 'root', name: 'Administrator', state: 'active', isAdmin: true },
    { id: 2, username: 'ada', name: 'Ada Lovelace', state: 'active', isAdmin: false },
    { id: 3, username: 'grace', name: 'Grace Hopper', state: 'active', isAdmin: false },
    ...(long
      ? Array.from({ length: 57 }, (_, index) => ({
          id: 4 + index,
          username: index % 8 === 3 ? `somebody.with.a.long.username.${index}` : `person${index}`,
          name: index % 8 === 3 ? `Wilhelmina Featherstonehaugh-Cholmondeley ${index}` : `Person ${index}`,
          state: index % 11 === 5 ? 'blocked' : 'active',
          isAdmin: false,
        }))
      : []),
  ];
  const groups = [
    { id: 1, name: 'local', fullPath: 'local' },
    { id: 4, name: 'Release crew', fullPath: 'local/release-crew' },
  ];
  let nextId = 10;
  const asRule = (input) => ({
    id: nextId++,
    kind: input.accessLevel ? 'role' : input.userId ? 'user' : 'group',
    accessLevel: input.accessLevel ?? null,
    userId: input.userId ?? null,
    groupId: input.groupId ?? null,
    groupInheritanceType: input.groupInheritanceType ?? 0,
    description: input.accessLevel
      ? 'Maintainers'
      : (input.userId ? users : groups).find((each) => each.id === (input.userId ?? input.groupId)).name,
    detail: input.userId
      ? `@${users.find((each) => each.id === input.userId).username}`
      : (groups.find((each) => each.id === input.groupId)?.fullPath ?? ''),
  });
  let environments =
    seed === 'empty'
      ? []
      : [
          ['production', [{ accessLevel: 60 }, { userId: 2 }, { groupId: 4, groupInheritanceType: 1 }]],
          ['staging', [{ accessLevel: 40 }, { groupId: 4 }]],
          ['review/*', [{ accessLevel: 30 }]],
          ...(long
            ? Array.from({ length: 37 }, (_, index) => [
                index % 6 === 2 ? `customers/europe/west/production-${index}` : `region-${index}`,
                [{ accessLevel: 40 }, ...(index === 2 ? users.slice(1, 40).map(({ id }) => ({ userId: id })) : [])],
              ])
            : []),
        ].map(([name, rules], index) => ({
          id: index + 1,
          projectId: 1,
          name,
          rules: rules.map(asRule),
          updatedAt: now - 90 * minute,
        }));

  const fail = (code, message) => {
    throw Object.assign(new Error(message), { code });
  };
  const methods = {
    'server.status': () => ({
      version: '0.1.0',
      origin: 'http://127.0.0.1:4899',
      host: '127.0.0.1',
      port: 4899,
      dataDir: '/home/ada/.config/gatehouse/registry',
      startedAt: now - 3_600_000,
      pid: 4242,
      defaultProject: { id: 1, fullPath: 'local/packages' },
      rootTokenFile: '/home/ada/.config/gatehouse/registry/initial_root_token',
    }),
    'packages.list': ({ search = '' }) => {
      const found = packages.filter((each) => each.name.includes(search));
      return { total: found.length, packages: found.map(({ readme: _readme, versions: _versions, ...rest }) => rest) };
    },
    'packages.get': ({ packageId }) =>
      packages.find((each) => each.id === packageId) ?? fail('package_not_found', 'Package not found'),
    'packages.setTag': ({ packageId, tag, version }) => {
      const pack = packages.find((each) => each.id === packageId);
      pack.tags = [...pack.tags.filter((each) => each.tag !== tag), { tag, version, updatedAt: Date.now() }];
      emit('packages.changed', { projectId: 1, packageId, name: pack.name, change: 'tags' });
      return null;
    },
    'packages.removeTag': ({ packageId, tag }) => {
      const pack = packages.find((each) => each.id === packageId);
      pack.tags = pack.tags.filter((each) => each.tag !== tag);
      emit('packages.changed', { projectId: 1, packageId, name: pack.name, change: 'tags' });
      return null;
    },
    'directory.projects': () => (seed === 'empty' ? projects.slice(0, 1) : projects),
    'directory.ruleCandidates': ({ search }) => {
      const fits = (text) => text.toLowerCase().includes(search.toLowerCase());
      return {
        users: users.filter((each) => fits(each.name) || fits(each.username)),
        groups: groups.filter((each) => fits(each.fullPath) || fits(each.name)),
      };
    },
    'environments.listProtected': ({ projectId }) => environments.filter((each) => each.projectId === projectId),
    'environments.protect': ({ projectId, name, rules }) => {
      const made = { id: nextId++, projectId, name, rules: rules.map(asRule), updatedAt: Date.now() };
      environments = [...environments, made];
      return made;
    },
    'environments.replaceRules': ({ projectId, name, rules, updatedAt }) => {
      const found = environments.find((each) => each.projectId === projectId && each.name === name);
      if (found.updatedAt !== updatedAt) fail('conflict', 'The rules were changed since you read them.');
      const made = { ...found, rules: rules.map(asRule), updatedAt: Date.now() };
      environments = environments.map((each) => (each === found ? made : each));
      return made;
    },
    'environments.unprotect': ({ projectId, name }) => {
      environments = environments.filter((each) => each.projectId !== projectId || each.name !== name);
      return null;
    },
  };

  const details = (user) => ({
    ...user,
    email: `${user.username}@acme.example`,
    external: false,
    createdAt: now - 9e8,
    lastUsedAt: user.id === 3 ? null : now - user.id * 40 * minute,
  });
  const token = (id, name, user, scopes, state, expiresOn) => ({
    id,
    name,
    user,
    description: '',
    scopes,
    hint: `a${id}f9`,
    createdAt: now - 9e7,
    expiresOn,
    lastUsedAt: state === 'active' ? now - 5 * minute : null,
    state,
  });
  const rules = (...names) => ({
    deploy_access_levels: names.map((description) => ({ description })),
    approval_rules: [],
  });
  const audited = [
    [
      'tag.set',
      'package',
      '@acme/ui',
      { tag: 'next', version: '2.8.3' },
      { tag: 'next', version: '3.0.0-beta.2' },
      'window',
    ],
    ['package.published', 'package', '@acme/ui', null, { version: '3.0.0-beta.2', size: 25100 }, 'http'],
    [
      'environment.rules_changed',
      'protected_environment',
      'production',
      rules('Maintainers', 'Ada Lovelace'),
      rules('Administrators', 'Ada Lovelace', 'Release crew'),
      'http',
    ],
    ['member.updated', 'user', 'grace', { role: 'Reporter' }, { role: 'Developer' }, 'window'],
    ['token.created', 'token', 'laptop', null, { scopes: ['api'] }, 'cli'],
    ['environment.protected', 'protected_environment', 'staging', null, rules('Maintainers'), 'window'],
    ['user.created', 'user', 'grace', null, { name: 'Grace Hopper' }, 'window'],
    ['group.created', 'group', 'local', null, null, 'system'],
  ].map(([action, type, name, before, after, origin], index) => ({
    id: 80 - index,
    at: now - index * index * 31 * minute - 20_000,
    actor: { id: 1 + (index % 3), name: ['root', 'ada', 'grace'][index % 3] },
    origin,
    address: origin === 'http' ? '127.0.0.1' : null,
    action,
    target: { type, id: 1, name },
    projectId: 1,
    groupId: null,
    before,
    after,
  }));
  const code = (version) =>
    `'use strict';\n\n/* Opens the gate.\n   Answers whether it was shut. */\nexports.open = function open(gate) {\n  const was = gate.shut;\n  gate.shut = false; // version ${version}\n  return was;\n};\n${'\nexports.noop = () => undefined;'.repeat(30)}\n`;
  Object.assign(methods, {
    'packages.deprecate': () => null,
    'packages.unpublish': () => null,
    'packages.unpublishVersion': () => null,
    'contents.files': ({ version }) => ({
      files: [
        'LICENSE',
        'README.md',
        'dist/components/button.js',
        'dist/components/dialog.js',
        'dist/index.js',
        'dist/logo.png',
        'package.json',
        ...(version.includes('beta') ? ['dist/next.js'] : []),
      ]
        .sort()
        .map((path, index) => ({
          path,
          size: 400 * (index + 1),
          executable: false,
          sha1: path === 'LICENSE' ? 'x' : path + version,
        })),
    }),
    'contents.file': ({ path, version }) => {
      if (path.endsWith('.png')) return { path, size: 900, text: null, withheld: 'binary' };
      if (path === 'package.json')
        return {
          path,
          size: 120,
          text:
            JSON.stringify(
              { name: '@acme/ui', version, main: 'dist/index.js', dependencies: { '@acme/tokens': '^2.0.0' } },
              null,
              2,
            ) + '\n',
          withheld: null,
        };
      return { path, size: 400, text: code(version), withheld: null };
    },
    'contents.dependencies': () => ({
      dependencies: [
        { name: '@acme/tokens', range: '^2.0.0', kind: 'dependencies', here: { packageId: 2, satisfiedBy: '2.9.0' } },
        { name: 'clsx', range: '^2.1.1', kind: 'dependencies', here: null },
        { name: 'react', range: '>=19', kind: 'peerDependencies', here: null },
        {
          name: '@acme/eslint-config',
          range: '^9.0.0',
          kind: 'devDependencies',
          here: { packageId: 3, satisfiedBy: null },
        },
      ],
      dependents: [
        {
          packageId: 5,
          name: '@acme/release-tool',
          version: '2.9.0',
          range: '^2.8.0',
          kind: 'dependencies',
          satisfied: true,
        },
        {
          packageId: 7,
          name: '@labs/plotting',
          version: '2.8.3',
          range: '~1.4.0',
          kind: 'peerDependencies',
          satisfied: false,
        },
      ],
    }),
  });
  Object.assign(methods, {
    'login.pending': () =>
      seed === 'login'
        ? [
            {
              id: 'x',
              code: 'KVWQ-7731',
              client: 'npm/12.2.0',
              address: '127.0.0.1',
              createdAt: now,
              expiresAt: now + 9e5,
            },
          ]
        : [],
    'login.approve': () => null,
    'login.deny': () => null,
    'overview.get': () => ({
      packages: packages.length,
      versions: 84,
      projects: 2,
      users: 3,
      protectedEnvironments: environments.length,
      disk: { tarballs: 48_200_000, database: 3_100_000, free: 212_000_000_000 },
      memory: { process: 91_000_000, caches: 12_400_000 },
      requests: 18_234,
      days: Array.from({ length: 30 }, (_, index) => ({
        day: new Date(now - (29 - index) * 86_400_000).toISOString().slice(0, 10),
        publishes: seed === 'empty' ? 0 : (index * 7) % 5,
        downloads: seed === 'empty' ? 0 : Math.round(60 + 50 * Math.sin(index / 3) + ((index * 37) % 23)),
      })),
    }),
    'requests.list': () => ({
      newest: 400,
      requests:
        seed === 'empty'
          ? []
          : Array.from({ length: 400 }, (_, index) => ({
              id: 400 - index,
              at: now - index * 1700,
              method: index % 9 === 4 ? 'PUT' : 'GET',
              path: [
                '/api/v4/projects/1/packages/npm/@acme%2fui',
                '/api/v4/projects/1/packages/npm/@acme/ui/-/@acme/ui-2.8.3.tgz',
                '/api/v4/projects/1/protected_environments',
              ][index % 3],
              status: index % 13 === 5 ? 404 : index % 29 === 7 ? 500 : index % 3 === 0 ? 304 : 200,
              duration: (index * 7.3) % 61,
              bytes: (index * 911) % 90_000,
              client: ['npm/12.2.0', 'pnpm/12.21.0', 'Bun/1.4.5'][index % 3],
              username: index % 2 ? 'ada' : null,
            })),
    }),
  });
  Object.assign(methods, {
    'connect.preview': ({ folder }) => ({
      file: `${folder}/.npmrc`,
      before: null,
      after:
        'registry=http://127.0.0.1:4899/api/v4/projects/1/packages/npm/\n//127.0.0.1:4899/api/v4/projects/1/packages/npm/:_authToken=(a new token)\n',
    }),
    'connect.write': ({ folder }) => ({ file: `${folder}/.npmrc`, undoable: true }),
    'connect.undo': () => ({ restored: true }),
    'connect.arrivals': () =>
      seed === 'empty'
        ? []
        : [{ client: 'npm/12.2.0', at: now - 3000, path: '/api/v4/projects/1/packages/npm/-/ping', status: 200 }],
    'connect.startSelfTest': () => null,
    'connect.stopSelfTest': () => null,
    'connect.selfTest': () => ({
      running: seed === 'full',
      steps:
        seed === 'empty'
          ? []
          : [
              { client: 'npm', version: '12.2.0', command: 'npm publish', state: 'passed', duration: 812, output: '' },
              {
                client: 'npm',
                version: '12.2.0',
                command: 'npm install',
                state: 'failed',
                duration: 1412,
                output: 'npm error code E404\nnpm error 404 Not Found',
              },
              { client: 'pnpm', version: '12.4.2', command: 'pnpm add', state: 'running', duration: null, output: '' },
              { client: 'bun', version: '1.4.5', command: 'bun add', state: 'waiting', duration: null, output: '' },
            ],
    }),
  });
  const job = (id, kind, state, more) => ({
    id,
    kind,
    state,
    phase: 'Reading tarballs',
    done: 0,
    total: 0,
    startedAt: now - 9000,
    finishedAt: state === 'running' ? null : now - 4000,
    error: null,
    report: null,
    backup: null,
    ...more,
  });
  const checked = { packages: 12, versions: 84, tags: 36, tarballs: 84, bytes: 48_200_000, snapshots: 2 };
  Object.assign(methods, {
    'maintenance.jobs': () =>
      seed === 'empty'
        ? []
        : [
            job(3, 'backup', 'running', { done: 31, total: 84 }),
            job(2, 'doctor', 'done', {
              report: {
                healthy: false,
                repaired: false,
                checked,
                findings: [
                  {
                    kind: 'orphan_file',
                    severity: 'clutter',
                    subject: 'x',
                    text: 'A tarball that no version uses takes 1.2 MB.',
                    repair: 'possible',
                  },
                ],
              },
            }),
          ],
    'maintenance.snapshots': () =>
      seed === 'empty'
        ? []
        : [
            {
              name: 'before-rewind',
              createdAt: now - 5e6,
              size: 3_100_000,
              packages: 12,
              versions: 84,
              automatic: true,
            },
            {
              name: 'before-the-demo',
              createdAt: now - 9e7,
              size: 2_900_000,
              packages: 10,
              versions: 71,
              automatic: false,
            },
          ],
    'maintenance.schedule': () => ({
      enabled: seed !== 'empty',
      folder: seed === 'empty' ? '' : '/media/usb/backups',
      everyHours: 24,
      keep: 7,
      lastAt: null,
      lastError: null,
      nextAt: null,
      archives:
        seed === 'empty'
          ? []
          : [{ file: '/media/usb/backups/gatehouse-2026-11-20.backup', size: 51_000_000, createdAt: now - 8e7 }],
    }),
    'maintenance.doctor': () => ({ job: 4 }),
  });
  const allowed = (user, index) => ({ user, allowed: true, reason: 'Administrators may deploy.', rule: null, index });
  Object.assign(methods, {
    'directory.users': () => users.map(details),
    'directory.groups': () =>
      groups.map((group) => ({
        ...group,
        path: group.fullPath.split('/').at(-1),
        parentId: null,
        description: '',
        visibility: 'private',
        createdAt: now,
        memberCount: 3,
        projectCount: 1,
      })),
    'directory.projectDetails': () =>
      projects.map((project) => ({
        ...project,
        path: project.name,
        namespaceId: 1,
        namespaceKind: 'group',
        description: 'Shared front-end packages',
        createdAt: now - 8e9,
      })),
    'directory.members': () => [
      {
        user: users[1],
        level: 40,
        direct: true,
        source: { kind: 'project', id: 1, fullPath: 'local/packages' },
        throughGroup: null,
        expiresOn: null,
      },
      {
        user: users[2],
        level: 30,
        direct: true,
        source: { kind: 'project', id: 1, fullPath: 'local/packages' },
        throughGroup: null,
        expiresOn: '2027-01-01',
      },
      {
        user: users[0],
        level: 50,
        direct: false,
        source: { kind: 'group', id: 1, fullPath: 'local' },
        throughGroup: null,
        expiresOn: null,
      },
    ],
    'directory.shares': () => [{ group: groups[1], level: 40, expiresOn: null }],
    'directory.tokens': () => [
      token(1, 'laptop', users[1], ['api'], 'active', null),
      token(2, 'ci', users[2], ['read_package_registry', 'write_package_registry'], 'active', '2027-01-01'),
      token(3, 'old', users[0], ['api'], 'revoked', null),
    ],
    'directory.createToken': ({ name }) => ({
      token: token(9, name, users[0], ['api'], 'active', null),
      secret: 'glpat-' + 'Zk3'.repeat(9),
    }),
    'directory.audit': ({ search }) => {
      const rows = seed === 'empty' ? [] : audited.filter((row) => row.target.name.includes(search));
      return { rows, total: rows.length, nextBeforeId: null };
    },
    'environments.access': () =>
      environments.map((each, index) => ({
        environment: each.name,
        protected: each.name !== 'review/*',
        tier: 'other',
        users: users.filter((user) => user.isAdmin || (user.id + index) % 2 === 0).map(allowed),
      })),
    'environments.decide': ({ userId, name }) => ({
      user: users.find((user) => user.id === userId),
      allowed: userId === 1,
      reason:
        userId === 1
          ? 'Administrators may always deploy.'
          : `No rule of ${name} names this person, a group or a role of theirs.`,
      rule: null,
    }),
  });

  const upstream = (id, name, kind, url, more) => ({
    id,
    name,
    kind,
    url,
    pushUrl: null,
    scopes: ['*'],
    enabled: true,
    minimumAgeDays: 0,
    minimumAgeExceptions: [],
    freshSeconds: 60,
    budgetMilliseconds: 3000,
    pushSelection: [],
    autoPush: false,
    hasToken: false,
    state: { status: 'reachable', since: now - 9e5, lastError: null, retryAt: null },
    cache: { packages: 412, tarballs: 530, bytes: 96_400_000 },
    ...more,
  });
  let upstreams =
    seed === 'empty'
      ? []
      : [
          upstream(1, 'npm', 'npm', 'https://registry.example.com', { minimumAgeDays: 3 }),
          upstream(2, 'work', 'gitlab', 'https://gitlab.acme.example/api/v4/groups/acme/-/packages/npm', {
            pushUrl: 'https://gitlab.acme.example/api/v4/projects/42/packages/npm',
            scopes: ['@acme', '@labs'],
            hasToken: true,
            pushSelection: ['@acme'],
            autoPush: true,
            state: {
              status: 'away',
              since: now - 3e5,
              lastError: 'gitlab.acme.example cannot be found.',
              retryAt: now + 9000,
            },
            cache: { packages: 31, tarballs: 40, bytes: 4_100_000 },
          }),
          upstream(3, 'bundles', 'archive', '', { scopes: [], cache: { packages: 7, tarballs: 7, bytes: 800_000 } }),
        ];
  let offline = { mode: 'auto', online: true };
  const operation = (changeId, kind, name, version, verdict, state, more) => ({
    changeId,
    kind,
    at: now - changeId * 40 * minute,
    projectId: 1,
    name,
    version,
    tag: null,
    message: null,
    verdict,
    here: null,
    there: null,
    explanation: '',
    state,
    attempts: 1,
    error: null,
    ...more,
  });
  const otherBytes =
    '2.8.3 is there with other bytes. A version can’t be replaced: publish yours under another version, or leave theirs.';
  const operations = [
    operation(1, 'publish', '@acme/tokens', '2.9.0', 'same', 'done', {
      explanation: '2.9.0 is there with the same bytes.',
    }),
    operation(2, 'publish', '@acme/ui', '2.8.3', 'conflict', 'conflict', {
      explanation: otherBytes,
      error: otherBytes,
      here: 'sha512-' + 'q1Zx'.repeat(21) + '==',
      there: 'sha512-' + 'Gh7k'.repeat(21) + '==',
    }),
    operation(3, 'publish', '@acme/ui', '3.0.0-beta.2', 'new', 'running', {
      explanation: '3.0.0-beta.2 will be published.',
    }),
    operation(4, 'tag.set', '@acme/ui', '3.0.0-beta.2', 'new', 'waiting', {
      tag: 'next',
      explanation: '"next" will move from 2.8.3 to 3.0.0-beta.2.',
    }),
    operation(5, 'deprecate', '@acme/http', '1.0.0', 'new', 'failed', {
      message: 'Use 2',
      explanation: '1.0.0 will be deprecated.',
      error: 'work refuses the token (403).',
    }),
  ];
  const bundle = (applied) => ({
    file: '/media/usb/packages.gatehouse',
    createdAt: now - 8e7,
    source: 'grace-laptop',
    keyId: 'SHA256:9f3kQ0m2bVYxTzJtR8sW1eL5uN7cA4dH6gXpKoMiZbE',
    keyTrust: 'unknown',
    entries: ['@acme/ui@2.8.3', '@acme/ui@3.0.0', 'left-shelf@1.2.0', 'clsx@2.1.1'].map((spec, index) => ({
      name: spec.slice(0, spec.lastIndexOf('@')),
      version: spec.slice(spec.lastIndexOf('@') + 1),
      origin: index === 3 ? 'cache' : 'local',
      size: 21_000 + index * 4000,
      verdict: ['conflict', 'new', 'same', 'new'][index],
      explanation: [
        'It is here with other bytes; it is left as it is.',
        'It will be published to local/packages.',
        'It is here with the same bytes.',
        'It will be kept for clients to install.',
      ][index],
    })),
    bytes: 104_000,
    missing: ['tslib@^2.8.0'],
    applied,
  });
  const prefetch = (id, source, state, more) => ({
    id,
    source,
    state,
    total: 412,
    done: 412,
    fetched: 380,
    bytes: 61_000_000,
    failures: [],
    startedAt: now - 60_000,
    finishedAt: state === 'running' ? null : now - 30_000,
    error: null,
    ...more,
  });
  const cachedNames = ['@types/node', 'clsx', 'esbuild', 'react', 'react-dom', 'typescript', 'vite', 'zod'];
  let staged =
    seed === 'empty'
      ? []
      : [
          {
            id: 's1',
            projectId: 1,
            projectPath: 'local/packages',
            name: '@acme/ui',
            version: '3.0.0',
            tags: ['latest'],
            actor: 'ada',
            createdAt: now - 9 * minute,
            size: 26_100,
            fileCount: 15,
            integrity: 'sha512-x',
          },
        ];
  const settle = ({ id }) => {
    staged = staged.filter((each) => each.id !== id);
    emit('stages.changed', { projectId: 1, name: '@acme/ui' });
    return null;
  };
  Object.assign(methods, {
    'upstream.list': () => ({ upstreams }),
    'upstream.create': (input) => {
      const made = upstream(upstreams.length + 1, input.name, input.kind, input.url, {
        ...input,
        state: { status: 'unknown', since: null, lastError: null, retryAt: null },
        cache: { packages: 0, tarballs: 0, bytes: 0 },
      });
      upstreams = [...upstreams, made];
      return made;
    },
    'upstream.update': ({ upstreamId, ...input }) => {
      upstreams = upstreams.map((each) => (each.id === upstreamId ? { ...each, ...input } : each));
      return upstreams.find((each) => each.id === upstreamId);
    },
    'upstream.remove': ({ upstreamId }) => {
      upstreams = upstreams.filter((each) => each.id !== upstreamId);
      return null;
    },
    'upstream.test': () => ({ ok: true, message: 'npm answers.', user: null, milliseconds: 84 }),
    'upstream.cached': ({ search }) => {
      const found = seed === 'empty' ? [] : cachedNames.filter((name) => name.includes(search));
      return {
        total: found.length,
        packages: found.map((name, index) => ({
          upstreamId: 1,
          upstream: 'npm',
          name,
          validatedAt: now - index * 31 * minute,
          versionCount: 90 + index * 13,
          cachedVersions: index === 3 ? [] : ['1.0.0', '1.1.0'].slice(0, 1 + (index % 2)),
          bytes: index === 3 ? 0 : 41_000 * (index + 1),
        })),
      };
    },
    'upstream.dropCached': () => null,
    'upstream.reservedScopes': () => ({ reserved: ['@secret'], local: ['@acme', '@labs'] }),
    'upstream.setReservedScopes': () => null,
    'upstream.prefetch': () => prefetch(9, 'package-lock.json', 'running', { total: 0, done: 0 }),
    'upstream.prefetchJobs': () => ({
      jobs:
        seed === 'empty'
          ? []
          : [
              prefetch(3, 'package-lock.json', 'running', { done: 140, fetched: 133, bytes: 21_000_000 }),
              prefetch(2, 'vite', 'done', {
                total: 41,
                done: 40,
                fetched: 12,
                failures: [{ name: 'fsevents', version: '2.3.3', reason: 'offline, not cached' }],
              }),
              prefetch(1, 'pnpm-lock.yaml', 'done', {}),
            ],
    }),
    'upstream.cancelPrefetch': () => prefetch(3, 'package-lock.json', 'cancelled', {}),
    'offline.get': () => offline,
    'offline.set': ({ mode }) => {
      offline = { mode, online: mode !== 'on' };
      emit('upstream.changed', { subject: 'offline', upstreamId: null });
      return offline;
    },
    'outbox.plan': () => ({ operations, counts: { new: 3, same: 1, conflict: 1, unknown: 0 } }),
    'outbox.start': ({ upstreamId }) => methods['outbox.status']({ upstreamId }),
    'outbox.stop': ({ upstreamId }) => methods['outbox.status']({ upstreamId }),
    'outbox.resolve': ({ upstreamId }) => methods['outbox.status']({ upstreamId }),
    'outbox.status': ({ upstreamId }) => ({
      upstreamId,
      upstream: upstreams.find((each) => each.id === upstreamId).name,
      running: upstreamId === 2,
      total: upstreamId === 2 ? operations.length : 0,
      done: 1,
      failed: 1,
      conflicts: 1,
      current: upstreamId === 2 ? '@acme/ui@3.0.0-beta.2' : null,
      retryAt: null,
      operations: upstreamId === 2 ? operations : [],
    }),
    'bundles.export': ({ file }) => ({ ...bundle(false), file, keyTrust: 'own' }),
    'bundles.inspect': () => bundle(false),
    'bundles.import': () => bundle(true),
    'bundles.trustedKeys': () => ({
      own: 'SHA256:0aBcD1eFgH2iJkL3mNoP4qRsT5uVwX6yZaB7cDeF8gH',
      trusted: seed === 'empty' ? [] : ['SHA256:Zz9YyXxWwVvUuTtSsRrQqPpOoNnMmLlKkJjIiHhGgFf'],
    }),
    'bundles.setTrustedKeys': () => null,
    'stages.list': () => ({ total: staged.length, stages: staged }),
    'stages.approve': settle,
    'stages.reject': settle,
    'publishAge.get': ({ projectId }) => ({ hours: projectId === 2 ? 72 : 0 }),
    'publishAge.set': () => null,
  });

  const trouble = {
    cause: 'Port 4899 is in use by node (process 8121).',
    remedy: 'Stop that program, or choose another port here. Clients that point at 4899 have to be told.',
    logTail: [
      `{"level":30,"time":${now - 900},"msg":"opening the data folder"}`,
      `{"level":50,"time":${now - 200},"msg":"listen EADDRINUSE: address already in use 127.0.0.1:4899"}`,
    ],
  };
  const states = {
    failed: { phase: 'failed', failure: 'portTaken', ...trouble },
    restarting: {
      phase: 'restarting',
      attempt: 2,
      restartAt: now + 8000,
      ...trouble,
      cause: 'The registry stopped by itself (signal SIGSEGV).',
      remedy: 'It is started again by itself. Nothing that was answered is lost.',
    },
    starting: { phase: 'starting' },
    moving: {
      phase: 'moving',
      from: '/home/ada/.config/gatehouse/registry',
      to: '/media/big/gatehouse/registry',
      done: 31_000_000,
      total: 51_300_000,
    },
  };
  const state = states[seed] ?? { phase: 'ready', origin: 'http://127.0.0.1:4899', port: 4899, pid: 4242 };
  let settings = {
    theme: 'system',
    port: 4899,
    keepInTray: false,
    notifications: false,
    startAtLogin: false,
    largestTarball: 500,
    updateFeed: 'https://downloads.acme.example/gatehouse/',
    checkUpdatesAtStart: false,
  };
  const on = (kind) => (listener) => {
    listeners[kind].add(listener);
    return () => listeners[kind].delete(listener);
  };
  window.fake = {
    emit,
    /** Another window or a REST client changes the rules of an environment. */
    editElsewhere: (name, rules) => {
      environments = environments.map((each) =>
        each.name === name ? { ...each, rules: rules.map(asRule), updatedAt: Date.now() } : each,
      );
      emit('environments.changed', { projectId: 1, groupId: null, name });
    },
    methods,
  };
  window.gatehouse = {
    call: async (method, params) => {
      try {
        if (!(method in methods)) fail('internal', `No method ${method}`);
        if (seed === 'slow' && method !== 'server.status') return await new Promise(() => {});
        if (seed === 'broken' && method !== 'server.status')
          fail('storage_failure', 'The disk is full. Make room on it, then try again.');
        return { ok: true, value: structuredClone(methods[method](params)) };
      } catch (error) {
        return { ok: false, error: { code: error.code ?? 'internal', message: error.message, details: {} } };
      }
    },
    onEvent: on('event'),
    app: {
      state: async () => state,
      onState: on('state'),
      onSettings: on('settings'),
      retry: async () => {},
      info: async () => ({
        version: '0.1.0',
        platform: 'linux',
        electron: '45',
        chromium: '150',
        node: '24',
        dataDir: '/home/ada/.config/gatehouse/registry',
        dataDirIsFixed: false,
        formerDataDir: null,
        canStartAtLogin: true,
      }),
      settings: async () => settings,
      saveSettings: async (change) => ({ ok: true, value: (settings = { ...settings, ...change }) }),
      openExternal: async () => true,
      showDataFolder: async () => {},
      moveDataFolder: async () => ({ ok: true, value: false }),
      openDataFolder: async () => ({ ok: true, value: false }),
      stopMove: async () => {},
      removeFormerDataFolder: async () => ({ ok: true, value: true }),
      log: async () => [],
      copyText: async () => {},
      chooseFolder: async () => '/home/ada/shop',
      chooseFile: async () => '/media/usb/packages.gatehouse',
      chooseNewFile: async ({ suggestedName }) => `/media/usb/${suggestedName}`,
      saveText: async ({ suggestedName }) => ({ ok: true, value: `/media/usb/${suggestedName}` }),
      onCommand: on('command'),
    },
    updates: {
      state: async () => updates,
      onState: on('updates'),
      check: async () => {},
      download: async () => {},
      stop: async () => {},
      installOnQuit: async (wanted) => ({ ok: true, value: wanted }),
      show: async () => {},
    },
  };
})();
