/**
 * What the palette finds beyond pages, a few of each kind: the gateway looks, and decides what the person may see. Loaded with
 * the first search.
 */
import { Box, FileSearch, KeyRound, Network, SlidersHorizontal, UserRound } from '@lucide/vue'
import type { Component } from 'vue'
import type { RouteLocationRaw } from 'vue-router'
import { readChannels } from '../../api/channels.js'
import { readUsableModels } from '../../api/groups.js'
import { readOptions } from '../../api/options.js'
import { readTokens } from '../../api/tokens.js'
import { readUsers } from '../../api/users.js'
import { requestPlace } from '../../ui/request-place.js'
import { shippedText } from '../../ui/shipped-texts.js'
import { locale } from '../i18n.js'
import type { Role } from '../module.js'
import { optionTitles } from '../modules.js'
import { roles } from '../roles.js'
import { useSession } from '../session.js'
import type { Command } from './commands.js'

interface Finder {
  readonly kind: 'channels' | 'users' | 'keys' | 'models' | 'options'
  readonly icon: Component
  /** Least role. */
  readonly role: Role
  find(typed: string, signal: AbortSignal): Promise<readonly Find[]>
}

interface Find {
  readonly title: string
  readonly to: RouteLocationRaw
}

/** Of each kind. */
const findsMax = 5
/** Lists that are read whole are kept for so long. */
const keptMs = 60_000
const requestId = /^req_[0-9a-z]{26}$/i

const finders: readonly Finder[] = [
  {
    ...{ kind: 'channels', icon: Network, role: roles.admin },
    async find(keyword, signal) {
      const { items } = await readChannels({ ...firstPage, keyword }, signal)
      return items.map(({ id, name }) => ({ title: `${name} · #${id}`, to: `/channels/${id}` }))
    },
  },
  {
    ...{ kind: 'users', icon: UserRound, role: roles.admin },
    async find(keyword, signal) {
      const { items } = await readUsers({ ...firstPage, keyword }, signal)
      return items.map(({ id, username }) => ({
        title: `${username} · #${id}`,
        to: `/users/${id}`,
      }))
    },
  },
  {
    ...{ kind: 'keys', icon: KeyRound, role: roles.common },
    async find(keyword, signal) {
      const filter = { ...firstPage, keyword, token: '', status: 0 }
      const { items } = await readTokens(filter, signal)
      return items.map(({ id, name }) => ({ title: `${name} · #${id}`, to: `/tokens/${id}` }))
    },
  },
  {
    ...{ kind: 'models', icon: Box, role: roles.common },
    async find(typed) {
      const names = await kept('models', () => readUsableModels(''))
      const found = names.filter((name) => name.toLowerCase().includes(typed.toLowerCase()))
      return found.map((name) => ({ title: name, to: { path: '/pricing', query: { q: name } } }))
    },
  },
  {
    ...{ kind: 'options', icon: SlidersHorizontal, role: roles.root },
    async find(typed) {
      const words = typed.toLowerCase().split(/\s+/)
      const [options, titles] = await Promise.all([
        kept('options', readOptions),
        optionTitles(locale.value),
      ])
      const shown = options.map(({ key, title }) => ({
        ...{ key, title: titles[key] ?? shippedText(title) },
        text: `${key} ${title} ${titles[key] ?? shippedText(title)}`.toLowerCase(),
      }))
      const found = shown.filter(({ text }) => words.every((word) => text.includes(word)))
      return found.map(({ key, title }) => ({
        title,
        to: { path: '/options', hash: `#${encodeURIComponent(key)}` },
      }))
    },
  },
]

const firstPage = { p: 1, page_size: findsMax }

/** What one kind cannot find hides nothing of the others. */
export async function finds(
  typed: string,
  role: Role,
  t: (key: string) => string,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const mine = finders.filter((finder) => finder.role <= role)
  const found = await Promise.all(
    mine.map(async ({ kind, icon, find }) => {
      const all = await find(typed, signal).catch(() => [])
      return all
        .slice(0, findsMax)
        .map((one, at) => commandOf(one, `${kind} ${at}`, t(`shell.finds.${kind}`), icon))
    }),
  )
  const request = { title: typed, to: requestPlace(typed) }
  const isRequest = requestId.test(typed) && role >= roles.common
  const ofRequest = isRequest
    ? [commandOf(request, 'request', t('shell.finds.request'), FileSearch)]
    : []
  return [...ofRequest, ...found.flat()]
}

function commandOf({ title, to }: Find, key: string, section: string, icon: Component): Command {
  return { key, title, also: '', section, icon, run: (router) => router.push(to) }
}

/** Not among the queries of pages, whose reads are called off whenever something changes. */
async function kept<Data>(name: string, read: () => Promise<Data>): Promise<Data> {
  const key = `${name} of ${useSession().self?.id}`
  const known = lists.get(key)
  if (known !== undefined && performance.now() - known.at < keptMs) return known.data as Data
  const data = await read()
  lists.set(key, { at: performance.now(), data })
  return data
}

const lists = new Map<string, { readonly at: number; readonly data: unknown }>()
