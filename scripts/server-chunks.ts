/** Modules that are kept in a file of their own. */
export interface ChunkGroup {
  readonly name: string;
  readonly test: RegExp;
  /** Which group gets a module that several ask for: the highest. */
  readonly priority: number;
  /** However small the file. */
  readonly minSize: 0;
}

/**
 * Files that the server is split into, besides the one that every server runs. Each is loaded when something of it is first used
 * (`withLazyRequires`), so what stands together here should be used together, and seldom by a server that starts.
 */
export const serverChunks: readonly ChunkGroup[] = [
  // The helpers of the bundler and the table of errors, which the entry needs before it may load anything else, and what the examiner's
  // thread shares with the server.
  group('base', [
    /rolldown\/runtime/,
    /server\/contract\/errors\.ts/,
    /server\/(?:lib|accounts|registry)\/(?:[a-z]+\/)?(?:manifest-signer|upload-limits|join-chunks|package-name)\.ts/,
    /node_modules\/validate-npm-package-name/,
  ]),
  group('zod', [/node_modules\/zod\//]),
  group('yaml', [/node_modules\/yaml\//]),
  group('encodings', [/node_modules\/iconv-lite\/encodings\//]),
  group('log', [
    /server\/cli\/make-logger\.ts/,
    /node_modules\/(?:pino|@pinojs|sonic-boom|thread-stream|safe-stable|quick-format|on-exit-leak|atomic)/,
  ]),
  group('tar', [/node_modules\/(?:tar-stream|streamx|text-decoder|b4a|fast-fifo|events-universal)\//]),
  group('semver', [/node_modules\/semver\//, /server\/(?:lib|accounts|registry)\/(?:[a-z]+\/)?package-version\.ts/]),
  group('command-line', [/node_modules\/commander\//, /server\/cli\/(?:program|data-dir|commands\/serve)\.ts/]),
  group('commands', [
    /server\/cli\/(?!main|run-|idle-memory|heap-growth|open-log|make-logger|describe|program|data-dir|commands\/serve)/,
  ]),
  group('gitlab', [/server\/http\/gitlab\//]),
  group('npm-services', [
    /server\/http\/npm\/handlers\/(?!publish|read|tag|unpublish|upstream)[a-z]+-(?:handlers|documents|page)\.ts/,
    /server\/http\/npm\/services\.ts/,
    /server\/(?:lib|accounts|registry)\/(?:[a-z]+\/)?(?:(?:osv-|npm-)?advisor|npm-tokens|cvss|audit-report)/,
  ]),
  group('publish', [
    /server\/(?:lib|accounts|registry)\/(?:[a-z]+\/)?(?:receive-upload|upload-document|prepare-version|verify-upload|document-splitter|base64-decoder|tarball-inspector)\.ts/,
    /server\/upstream\/outbox\/audited-changes\.ts/,
  ]),
  group('maintenance', [/server\/storage\/care\/(?:backup|backup-format|restore|rewind|recover|doctor[a-z-]*)\.ts/]),
  group('upstream', [/server\/upstream\/(?:bundles|prefetch)\//]),
  group('outbound', [/server\/upstream\/network\/(?:outbound|private-address)\.ts/]),
  group('rules', [/server\/environments\/(?:rules-file|protection-audit)\.ts/]),
  group('contract', [
    /server\/contract\/(?!errors|constants)/,
    /server\/storage\/(?:care\/)?(?:folder-holder|snapshot-note|kept-schedule)\.ts/,
    /server\/upstream\/proxy\/key-documents\.ts/,
  ]),
  // What is left of other people's packages is Express with all that it needs.
  group('express', [/node_modules\/(?!validate-npm-package-name)/], 1),
];

function group(name: string, tests: readonly RegExp[], priority = 10): ChunkGroup {
  return { name, test: new RegExp(tests.map(({ source }) => source).join('|')), priority, minSize: 0 };
}
