/** Plugins that run in a thread of their own, in a test without a gateway around them. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import type { Life, PureKit } from '../../../kernel/contract/kit.js'
import { declaredSettings } from '../../../kernel/registry/declared-settings.js'
import { createIsolated } from '../../../kernel/registry/isolated/isolated.js'
import { readManifest } from '../../../kernel/registry/manifest.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import { shelf } from './outside-kit.js'
import { manifestOf, type Part } from './plugins.js'
import { keptLog } from './throwing-plugins.js'

export interface InThread<Created> {
  readonly plugin: Created & Life
  readonly log: ReturnType<typeof keptLog>
}

/** What the module at this address creates, in a thread that ends with the test. */
export async function inThread<Created extends object>(
  t: Pick<Test, 'teardown'>,
  entry: string,
  manifestText: string,
  kit?: PureKit,
): Promise<InThread<Created>> {
  const manifest = readManifest(manifestText, 'manifest.json')
  const log = keptLog()
  const plugin = await createIsolated({
    ...{ manifest, entry, clock: systemClock, log, onChange() {} },
    kit: kit ?? { settings: declaredSettings(manifest) },
  })
  t.teardown(() => plugin.stop?.())
  return { plugin: plugin as Created & Life, log }
}

const channelTypes = [{ id: 901, name: 'threaded', baseUrl: '' }]

/** The same of code that stands in a test. */
export function codeInThread<Created extends object>(
  t: Pick<Test, 'teardown'>,
  code: string,
  more: Part = {},
  kit?: PureKit,
): Promise<InThread<Created>> {
  const outside = shelf(t)
  const folder = outside.plugin('plugin', 'provider.threaded', code)
  const entry = pathToFileURL(join(folder, 'index.js')).href
  const manifest = manifestOf('provider.threaded', { channelTypes, ...more })
  return inThread(t, entry, JSON.stringify(manifest), kit)
}
