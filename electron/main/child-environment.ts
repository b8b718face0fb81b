/**
 * What the server child inherits of the environment: what a Node program needs to run on each system, proxies and certificates for
 * forwarding to other registries, and Gatehouse's own settings. Everything else (tokens of other tools, NODE_OPTIONS,
 * ELECTRON_RUN_AS_NODE) stays out.
 */
const allowed: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'XDG_RUNTIME_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GATEHOUSE_HOST',
  'GATEHOUSE_ROOT_TOKEN',
  'GATEHOUSE_LOG_LEVEL',
]);

/** The part of `environment` that the server child may see. Names are compared without regard to case, as Windows does. */
export function childEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (allowed.has(upper) || upper.startsWith('LC_'))) kept[name] = value;
  }
  return kept;
}
