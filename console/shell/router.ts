/** Addresses to pages: signs in who has to, loads an area's texts with its page, and sets the title of the window. */
import {
  createRouter,
  createWebHistory,
  type RouteLocationNormalized,
  type RouteRecordRaw,
  type Router,
} from 'vue-router'
import { inWords, loadTexts } from './i18n.js'
import type { Frame, Role, Words } from './module.js'
import { consoleRoutes, type OwnedRoute } from './modules.js'
import { safeRedirect } from './safe-redirect.js'
import { useSession } from './session.js'
import { useSite } from './site.js'

declare module 'vue-router' {
  interface RouteMeta {
    readonly frame?: Frame
    readonly role?: Role
    readonly title?: Words
    readonly guestsOnly?: boolean
  }
}

export function createConsoleRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    routes: [...consoleRoutes.flatMap(recordsOf), forbidden, missing],
    scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  })
  router.beforeEach(admitted)
  router.afterEach(entitle)
  return router
}

function recordsOf(route: OwnedRoute): readonly RouteRecordRaw[] {
  const { path, name, page, frame, role, title, guestsOnly, owner, formerly = [] } = route
  const component = async () => {
    const [loaded] = await Promise.all([page(), loadTexts(owner)])
    return loaded
  }
  const meta = { frame, role, title, guestsOnly }
  const record = { path, name, component, meta } as RouteRecordRaw
  return [record, ...formerly.map((old) => ({ path: old, redirect: { name } }))]
}

const missing: RouteRecordRaw = {
  path: '/:rest(.*)*',
  name: 'missing',
  component: () => import('./missing-page.vue'),
  meta: { frame: 'site', role: 0, title: { en: 'Not found', zh: '找不到页面' } },
}

const forbidden: RouteRecordRaw = {
  path: '/forbidden',
  name: 'forbidden',
  component: () => import('./forbidden-page.vue'),
  meta: { frame: 'site', role: 0, title: { en: 'No access', zh: '无权访问' } },
}

/** Where a second factor is set up. */
const factorPage = 'account.security'

async function admitted({ meta, fullPath, name, query }: RouteLocationNormalized) {
  const site = useSite()
  if (site.status === undefined) await site.load()
  // Nothing else can be done on a gateway without a root user.
  if (site.status?.setup === false && name !== 'setup') return { path: '/setup' }
  const role = meta.role ?? 0
  const session = useSession()
  const self = await session.verified().catch(() => session.self)
  if (meta.guestsOnly && self !== undefined) return safeRedirect(query.redirect)
  if (role === 0) return true
  if (self === undefined) return { path: '/login', query: { redirect: fullPath } }
  if (self.must_set_up_factor && name !== factorPage) return { name: factorPage }
  return self.role >= role || { name: 'forbidden' }
}

function entitle({ meta }: RouteLocationNormalized): void {
  const name = useSite().status?.system_name ?? 'Waybill'
  document.title = meta.title === undefined ? name : `${inWords(meta.title)} · ${name}`
}
