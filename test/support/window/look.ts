import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium, type Page } from 'playwright';
import { AxeBuilder } from '@axe-core/playwright';
import { build } from 'vite';
import { contentSecurityPolicy } from '../../../electron/main/content-security-policy.ts';
import { pageFile } from '../../../electron/main/page-files.ts';

/**
 * Takes pictures of every screen without the shell: builds the page, serves it under the app's own policy with a stand-in for the
 * bridge, and looks at it with a plain Chromium, in both themes. For whoever works on the window:
 *
 *   node test/support/window/look.ts FOLDER [--no-build] [--no-axe] [--size 1000x650] [--theme dark] [name of a screen ...]
 *
 * Prints what axe and the console have to say; ends with 1 if that is anything.
 */
const [folder = 'pictures', ...rest] = process.argv.slice(2);
const built = path.resolve('node_modules/.cache/gatehouse-window');
const valueOf = (option: string) => (rest.includes(option) ? rest[rest.indexOf(option) + 1] : undefined);
const only = rest.filter(
  (word, index) => !word.startsWith('--') && !['--size', '--theme'].includes(rest[index - 1] ?? ''),
);
const [width = 1280, height = 800] = (valueOf('--size') ?? '').split('x').filter(Boolean).map(Number);
const themes = (['light', 'dark'] as const).filter((theme) => theme === (valueOf('--theme') ?? theme));

interface Screen {
  name: string;
  seed: string;
  hash: string;
  width?: number;
  act?: (page: Page) => Promise<void>;
}

const screens: Screen[] = [
  { name: 'packages', seed: 'full', hash: '/packages' },
  { name: 'packages-narrow', seed: 'full', hash: '/packages', width: 1000 },
  { name: 'packages-empty', seed: 'empty', hash: '/packages' },
  { name: 'packages-many', seed: 'many', hash: '/packages', width: 1600 },
  {
    name: 'packages-none',
    seed: 'full',
    hash: '/packages',
    act: (page) => page.getByRole('searchbox').fill('nothing like it'),
  },
  { name: 'package-readme', seed: 'full', hash: '/packages/1' },
  { name: 'package-versions', seed: 'full', hash: '/packages/1?tab=%22versions%22' },
  { name: 'package-narrow', seed: 'full', hash: '/packages/1?tab=%22versions%22', width: 1000 },
  {
    name: 'package-tag',
    seed: 'full',
    hash: '/packages/1',
    act: (page) => page.getByRole('button', { name: 'Add a tag' }).click(),
  },
  {
    name: 'package-tag-menu',
    seed: 'full',
    hash: '/packages/1',
    act: (page) => page.getByRole('button', { name: 'Change next' }).click(),
  },
  {
    name: 'package-files',
    seed: 'full',
    hash: '/packages/1?tab=files',
    act: (page) => page.getByRole('button', { name: /dist.index.js/ }).click(),
  },
  {
    name: 'package-diff',
    seed: 'full',
    hash: '/packages/1?tab=files',
    act: async (page) => {
      await page.getByLabel('Compare with').first().click();
      await page.getByRole('option').nth(2).click();
      await page.getByRole('button', { name: /dist.index.js/ }).click();
      await page.getByText('gate.shut = false').first().waitFor();
    },
  },
  { name: 'package-dependencies', seed: 'full', hash: '/packages/1?tab=dependencies' },
  {
    name: 'package-version-menu',
    seed: 'full',
    hash: '/packages/1?tab=versions',
    act: (page) => page.getByRole('button', { name: 'Actions for 2.8.3' }).click(),
  },
  {
    name: 'package-deprecate',
    seed: 'full',
    hash: '/packages/1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for @acme/ui' }).click();
      await page.getByRole('menuitem', { name: 'Deprecate all versions…' }).click();
      await page.getByRole('dialog', { name: 'Deprecate @acme/ui' }).waitFor();
    },
  },
  { name: 'environments', seed: 'full', hash: '/environments' },
  { name: 'environments-empty', seed: 'empty', hash: '/environments' },
  {
    name: 'environments-edit',
    seed: 'full',
    hash: '/environments?name=%22production%22',
    act: async (page) => {
      await page.getByRole('button', { name: 'Remove Ada Lovelace' }).click();
      await page.getByRole('textbox', { name: 'Add who may deploy' }).fill('m');
      await page.getByRole('option', { name: /^Maintainers/ }).click();
    },
  },
  {
    name: 'environments-picker',
    seed: 'full',
    hash: '/environments?name=%22production%22',
    act: (page) => page.getByRole('textbox', { name: 'Add who may deploy' }).click(),
  },
  {
    name: 'environments-conflict',
    seed: 'full',
    hash: '/environments?name=%22staging%22',
    act: async (page) => {
      await page.getByRole('button', { name: 'Remove Release crew' }).click();
      await page.evaluate(`fake.editElsewhere('staging', [{ accessLevel: 60 }, { groupId: 4 }])`);
      await page.getByText('Changed elsewhere').waitFor();
    },
  },
  {
    name: 'environments-protect',
    seed: 'full',
    hash: '/environments',
    act: (page) => page.getByRole('button', { name: 'Protect an environment' }).click(),
  },
  {
    name: 'access',
    seed: 'full',
    hash: '/environments?view=access',
    act: (page) => page.getByRole('button', { name: 'Grace Hopper may not deploy to production' }).hover(),
  },
  { name: 'access-empty', seed: 'empty', hash: '/environments?view=access' },
  { name: 'users', seed: 'full', hash: '/people' },
  {
    name: 'user',
    seed: 'full',
    hash: '/people',
    act: (page) => page.getByRole('button', { name: 'Add a user' }).click(),
  },
  { name: 'groups', seed: 'full', hash: '/people?tab=groups' },
  { name: 'projects', seed: 'full', hash: '/people?tab=projects' },
  {
    name: 'project',
    seed: 'full',
    hash: '/people?tab=projects',
    act: (page) => page.getByRole('row', { name: /local.packages/ }).click(),
  },
  { name: 'tokens', seed: 'full', hash: '/people?tab=tokens' },
  {
    name: 'token',
    seed: 'full',
    hash: '/people?tab=tokens',
    act: async (page) => {
      await page.getByRole('button', { name: 'Create a token' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('train');
    },
  },
  {
    name: 'token-made',
    seed: 'full',
    hash: '/people?tab=tokens',
    act: async (page) => {
      await page.getByRole('button', { name: 'Create a token' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('train');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByText('It is shown this once').waitFor();
    },
  },
  { name: 'activity', seed: 'full', hash: '/activity' },
  { name: 'activity-empty', seed: 'empty', hash: '/activity' },
  { name: 'requests', seed: 'full', hash: '/activity?view=requests' },
  { name: 'requests-empty', seed: 'empty', hash: '/activity?view=requests' },
  { name: 'overview', seed: 'full', hash: '/overview' },
  { name: 'overview-narrow', seed: 'full', hash: '/overview', width: 1000 },
  {
    name: 'theme-menu',
    seed: 'full',
    hash: '/packages',
    act: async (page) => {
      await page.getByRole('button', { name: 'Theme' }).click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
    },
  },
  { name: 'overview-empty', seed: 'empty', hash: '/overview' },
  { name: 'backups', seed: 'full', hash: '/backups' },
  { name: 'backups-empty', seed: 'empty', hash: '/backups' },
  {
    name: 'staged',
    seed: 'full',
    hash: '/packages',
    act: (page) => page.getByRole('button', { name: 'Review…' }).click(),
  },
  { name: 'by-name-missing', seed: 'full', hash: '/package-by-name/%40acme%2Fnothing' },
  {
    name: 'publish-age',
    seed: 'full',
    hash: '/people?tab=projects',
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for labs/tools' }).click();
      await page.getByRole('menuitem', { name: 'Publish times…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'upstream', seed: 'full', hash: '/upstream' },
  { name: 'upstream-narrow', seed: 'full', hash: '/upstream', width: 1000 },
  { name: 'upstream-empty', seed: 'empty', hash: '/upstream' },
  {
    name: 'upstream-edit',
    seed: 'full',
    hash: '/upstream',
    act: (page) => page.getByRole('row', { name: /work/ }).click(),
  },
  {
    name: 'upstream-reserved',
    seed: 'full',
    hash: '/upstream',
    act: (page) => page.getByRole('button', { name: 'Scopes kept here…' }).click(),
  },
  {
    name: 'upstream-offline',
    seed: 'full',
    hash: '/upstream',
    act: async (page) => {
      await page.locator('.mantine-SegmentedControl-label', { hasText: 'Offline' }).click();
      await page.getByRole('button', { name: 'Other registries: Offline' }).click();
      await page.getByRole('menuitemradio', { name: /Automatic/ }).waitFor();
    },
  },
  { name: 'cached', seed: 'full', hash: '/upstream?tab=cache&of=1' },
  { name: 'cached-empty', seed: 'empty', hash: '/upstream?tab=cache' },
  { name: 'prefetch', seed: 'full', hash: '/upstream?tab=prefetch' },
  { name: 'prefetch-empty', seed: 'empty', hash: '/upstream?tab=prefetch' },
  { name: 'outbox', seed: 'full', hash: '/upstream?tab=outbox&of=2' },
  { name: 'outbox-narrow', seed: 'full', hash: '/upstream?tab=outbox&of=2', width: 1000 },
  { name: 'outbox-none', seed: 'empty', hash: '/upstream?tab=outbox' },
  {
    name: 'outbox-plan',
    seed: 'full',
    hash: '/upstream?tab=outbox&of=1',
    act: async (page) => {
      await page.getByLabel('Packages and scopes').first().fill('@acme');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'See what would happen' }).click();
      await page.getByText('3 to send').waitFor();
    },
  },
  {
    name: 'outbox-decide',
    seed: 'full',
    hash: '/upstream?tab=outbox&of=2',
    act: (page) => page.getByRole('button', { name: 'Decide: Publish 2.8.3 of @acme/ui' }).click(),
  },
  { name: 'bundles', seed: 'empty', hash: '/upstream?tab=bundles' },
  {
    name: 'bundles-inside',
    seed: 'full',
    hash: '/upstream?tab=bundles',
    act: async (page) => {
      await page.getByRole('button', { name: 'Choose: Bundle' }).click();
      await page.getByRole('button', { name: 'Look inside' }).click();
      await page.getByText('2 versions to import').waitFor();
      await page.getByText('2 versions to import').scrollIntoViewIfNeeded();
    },
  },
  { name: 'login', seed: 'login', hash: '/packages' },
  { name: 'settings', seed: 'full', hash: '/settings' },
  { name: 'connect', seed: 'full', hash: '/connect' },
  { name: 'connect-empty', seed: 'empty', hash: '/connect' },
  {
    name: 'connect-write',
    seed: 'full',
    hash: '/connect',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Folder' }).fill('/home/ada/shop');
      await page.getByRole('button', { name: 'Show what changes' }).click();
      await page.getByRole('button', { name: 'Write it' }).click();
      await page.getByText('Written', { exact: true }).waitFor();
    },
  },
  { name: 'long-packages', seed: 'long', hash: '/packages' },
  { name: 'long-package', seed: 'long', hash: '/packages/1' },
  { name: 'long-versions', seed: 'long', hash: '/packages/1?tab=versions' },
  { name: 'long-environments', seed: 'long', hash: '/environments?name=%22region-2%22' },
  {
    name: 'long-rules',
    seed: 'long',
    hash: '/environments?name=%22customers/europe/west/production-2%22',
  },
  { name: 'long-access', seed: 'long', hash: '/environments?view=access' },
  { name: 'long-users', seed: 'long', hash: '/people' },
  ...[
    'packages',
    'environments',
    'people',
    'activity',
    'overview',
    'backups',
    'upstream',
    'connect',
    'settings',
  ].flatMap((page) => ['broken', 'slow'].map((seed) => ({ name: `${seed}-${page}`, seed, hash: `/${page}` }))),
  { name: 'broken-package', seed: 'broken', hash: '/packages/1' },
  { name: 'slow-package', seed: 'slow', hash: '/packages/1' },
  { name: 'broken-access', seed: 'broken', hash: '/environments?view=access' },
  { name: 'slow-access', seed: 'slow', hash: '/environments?view=access' },
  {
    name: 'palette',
    seed: 'full',
    hash: '/packages',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    },
  },
  {
    name: 'shortcuts',
    seed: 'full',
    hash: '/packages',
    act: async (page) => {
      await page.keyboard.press('Control+/');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'row-focus',
    seed: 'full',
    hash: '/packages',
    act: async (page) => {
      await page.getByRole('searchbox').focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
      await page.getByRole('row', { name: /labs.plotting/ }).hover();
    },
  },
  {
    name: 'select-open',
    seed: 'full',
    hash: '/packages',
    act: (page) => page.getByLabel('Project').first().click(),
  },
  {
    name: 'notification',
    seed: 'full',
    hash: '/packages/1?tab=versions',
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for 2.8.3' }).click();
      await page.getByRole('menuitem', { name: 'Copy integrity' }).click();
      await page.getByText('Copied the integrity').waitFor();
    },
  },
  {
    name: 'package-unpublish',
    seed: 'full',
    hash: '/packages/1?tab=versions',
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions for 2.8.3' }).click();
      await page.getByRole('menuitem', { name: 'Unpublish…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'undo',
    seed: 'full',
    hash: '/activity',
    act: async (page) => {
      await page.getByRole('button', { name: /^Undo/ }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'nav-focus',
    seed: 'full',
    hash: '/overview',
    act: async (page) => {
      await page.getByRole('button', { name: /Go to/ }).focus();
      for (const key of ['Tab', 'Tab', 'Tab']) await page.keyboard.press(key);
      await page.getByRole('button', { name: 'Copy the address of the registry' }).hover();
      await page.getByRole('tooltip').waitFor();
    },
  },
  { name: 'nowhere', seed: 'full', hash: '/nowhere' },
  { name: 'moving', seed: 'moving', hash: '/' },
  { name: 'failed', seed: 'failed', hash: '/' },
  { name: 'restarting', seed: 'restarting', hash: '/' },
  { name: 'starting', seed: 'starting', hash: '/' },
];

if (!rest.includes('--no-build')) {
  await build({ configFile: 'vite.config.ts', logLevel: 'warn', build: { outDir: built, emptyOutDir: true } });
}
const server = createServer((request, response) => {
  if (request.url === '/favicon.ico') return void response.writeHead(204).end();
  const found = pageFile(built, new URL(request.url ?? '/', 'http://localhost').pathname);
  if (found === null) return void response.writeHead(404).end();
  void readFile(found.file).then(
    (content) => {
      response.setHeader('content-type', found.type);
      if (!found.type.startsWith('text/html')) return response.end(content);
      const nonce = randomBytes(18).toString('base64');
      response.setHeader('content-security-policy', contentSecurityPolicy(nonce));
      return response.end(content.toString('utf8').replaceAll('__CSP_NONCE__', nonce));
    },
    () => response.writeHead(404).end(),
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
let complaints = 0;
const complain = (where: string, what: string) => {
  complaints += 1;
  console.log(`${where}: ${what}`);
};
const waiting = themes.flatMap((theme) =>
  screens.filter(({ name }) => only.length === 0 || only.includes(name)).map((screen) => ({ theme, screen })),
);
const lookAtTheRest = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { theme, screen } = next;
    const context = await browser.newContext({
      viewport: { width: valueOf('--size') ? width : (screen.width ?? width), height },
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const where = `${screen.name} (${theme})`;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complain(where, message.text());
    });
    page.on('pageerror', (error) => complain(where, error.message));
    try {
      await page.addInitScript(`window.fakeSeed = ${JSON.stringify(screen.seed)}`);
      await page.addInitScript({ path: path.join(import.meta.dirname, 'fake-bridge.js') });
      await page.goto(`${origin}/#${screen.hash}`);
      await page.locator('main').waitFor();
      await page.waitForLoadState('networkidle');
      page.setDefaultTimeout(15_000);
      if (screen.act) await screen.act(page);
      await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null))));
      await page.screenshot({ path: path.join(folder, `${screen.name}-${theme}.png`) });
      if (rest.includes('--no-axe')) continue;
      for (const violation of (await new AxeBuilder({ page }).analyze()).violations) {
        const nodes = violation.nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`);
        complain(where, `axe ${violation.id}: ${nodes.slice(0, 3).join(' | ')}`);
      }
    } catch (error) {
      complain(where, String(error));
      await page.screenshot({ path: path.join(folder, `${screen.name}-${theme}-failed.png`) });
    } finally {
      await context.close();
    }
  }
};
await Promise.all([lookAtTheRest(), lookAtTheRest(), lookAtTheRest()]);
await browser.close();
server.close();
console.log(complaints === 0 ? 'Nothing to complain about.' : `${complaints} complaints.`);
process.exitCode = complaints === 0 ? 0 : 1;
