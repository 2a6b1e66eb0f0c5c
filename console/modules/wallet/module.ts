/** The wallet: what can be spent, the ways to more of it, and the orders so far. */
import { Wallet } from '@lucide/vue'
import { type ConsoleRoute, defineModule } from '../../shell/module.js'

type Part = Pick<ConsoleRoute, 'path' | 'name' | 'title' | 'page'>

const title = { en: 'Wallet', zh: '钱包' }

const parts: readonly Part[] = [
  { path: '/wallet', name: 'wallet', title, page: () => import('./credit-page.vue') },
  {
    path: '/wallet/orders',
    name: 'wallet.orders',
    title: { en: 'Your orders', zh: '我的订单' },
    page: () => import('./orders-page.vue'),
  },
]

export default defineModule({
  id: 'wallet',
  routes: parts.map((part) => ({ ...part, frame: 'app', role: 1 })),
  menu: [
    {
      route: 'wallet',
      title,
      icon: Wallet,
      section: 'account',
      order: 10,
      role: 1,
      called: { en: 'Account', zh: '账户' },
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
