/** The outbox: notices and mails, and what became of them. */
import { Send } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Outbox', zh: '发件箱' }

export default defineModule({
  id: 'outbox',
  routes: [
    {
      path: '/outbox',
      name: 'outbox',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./outbox-page.vue'),
    },
  ],
  menu: [
    {
      route: 'outbox',
      title,
      icon: Send,
      section: 'system',
      order: 50,
      role: 10,
      under: 'system-info',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
