/** Every channel type that serves chat is one coding agents are tried at. */
import { readdirSync } from 'node:fs'
import t from 'tap'
import type { Provider } from '../../kernel/contract/provider.js'
import { apps } from '../kit/vendors/apps.js'
import { hosts, makers, speakers } from '../kit/vendors/index.js'
import { kitWith, manifestOf } from './provider-kit.js'

/** Types of a provider that serves chat for others. */
const noChat: ReadonlySet<string> = new Set(['chat-compatible/mokaai'])

const tried = new Set([...makers, ...speakers, ...hosts, ...apps].map(({ type }) => String(type)))

const folders = new URL('../../providers/', import.meta.url)

async function servesChat(folder: string): Promise<boolean> {
  const { default: create } = await import(new URL(`${folder}/index.js`, folders).href)
  const { operations }: Provider = create(kitWith(manifestOf(folder)))
  return operations.chat !== undefined
}

t.test('[FMT-9] agents are tried at every type that serves chat', async (t) => {
  const found = readdirSync(folders, { withFileTypes: true }).filter((one) => one.isDirectory())
  t.ok(found.length > 20)
  for (const { name: folder } of found) {
    if (!(await servesChat(folder))) continue
    for (const { id, name } of manifestOf(folder).channelTypes) {
      const full = `${folder}/${name}`
      if (noChat.has(full)) continue
      t.ok(tried.has(full) || tried.has(String(id)), full)
    }
  }
})
