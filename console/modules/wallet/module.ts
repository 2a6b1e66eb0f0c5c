/** The wallet: what can be spent, buying more, and the orders so far. */
import { Wallet } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Wallet', zh: '钱包' }

export default defineModule({
  id: 'wallet',
  routes: [
    {
      path: '/wallet',
      name: 'wallet',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./wallet-page.vue'),
    },
  ],
  menu: [{ route: 'wallet', title, icon: Wallet, section: 'account', order: 10, role: 1 }],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
