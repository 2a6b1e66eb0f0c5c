/** Usage in figures: how much, how fast, what failed, and who and what it was. */
import { ChartLine } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Analytics', zh: '用量分析' }

export default defineModule({
  id: 'analytics',
  routes: [
    {
      path: '/analytics',
      name: 'analytics',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./analytics-page.vue'),
    },
  ],
  menu: [{ route: 'analytics', title, icon: ChartLine, section: 'use', order: 38, role: 1 }],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
