/** The page one comes to: what is there, and what was used. */
import { LayoutDashboard } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Dashboard', zh: '仪表盘' }

export default defineModule({
  id: 'dashboard',
  routes: [
    {
      path: '/dashboard',
      name: 'dashboard',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./dashboard-page.vue'),
    },
  ],
  menu: [{ route: 'dashboard', title, icon: LayoutDashboard, section: 'use', order: 10, role: 1 }],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
