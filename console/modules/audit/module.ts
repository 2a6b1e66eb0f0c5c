/** The audit log: what was done by whom, and whether it is still what was written. */
import { ClipboardList } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Audit log', zh: '审计日志' }

export default defineModule({
  id: 'audit',
  routes: [
    {
      path: '/audit',
      name: 'audit',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./audit-page.vue'),
    },
  ],
  menu: [
    {
      route: 'audit',
      title,
      icon: ClipboardList,
      section: 'system',
      order: 60,
      role: 10,
      under: 'system-info',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
