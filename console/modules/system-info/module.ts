/** The processes of the gateway and what they remember, for root. */
import { Server } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'System', zh: '系统' }

export default defineModule({
  id: 'system-info',
  routes: [
    {
      path: '/system',
      name: 'system-info',
      title,
      frame: 'app',
      role: 100,
      page: () => import('./system-page.vue'),
    },
  ],
  menu: [
    {
      route: 'system-info',
      title,
      icon: Server,
      section: 'system',
      order: 40,
      role: 100,
      called: { en: 'System', zh: '系统' },
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
