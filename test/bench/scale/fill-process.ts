/** Fills a data folder in a process of its own, so that the memory it takes is gone when measuring begins. */
import { prepareDataFolder } from '../servers/gatehouse.ts';
import { fillRegistry } from './fill-registry.ts';
import type { Filling } from './fill-registry.ts';

const [dataDir = '', fillings = '[]'] = process.argv.slice(2);

const projects = await prepareDataFolder(dataDir, async (registry, { publicId }) => {
  for (const filling of JSON.parse(fillings) as Omit<Filling, 'projectId'>[]) {
    await fillRegistry(registry, { ...filling, projectId: publicId });
  }
});
process.stdout.write(JSON.stringify(projects));
