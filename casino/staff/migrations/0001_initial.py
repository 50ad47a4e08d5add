"""Employees, devices, signatures and the audit trail."""

import django.contrib.postgres.constraints
import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import BtreeGistExtension
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('properties', '0001_initial'),
    ]

    operations = [
        # Equality of keys beside inequality of groups in one exclusion constraint needs it.
        BtreeGistExtension(),
        migrations.CreateModel(
            name='Employee',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('number', models.CharField(max_length=20, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('preferred_language', models.CharField(blank=True, default='', max_length=12)),
                ('pin_hash', models.CharField(blank=True, default='', max_length=160)),
                ('is_active', models.BooleanField(default=True)),
                ('is_staff', models.BooleanField(default=False)),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='employees', to='properties.property')),
            ],
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('place', models.CharField(max_length=60)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('enrolled_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(null=True)),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='devices', to='properties.property')),
            ],
        ),
        migrations.CreateModel(
            name='AuditRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('actor', models.CharField(max_length=80)),
                ('role', models.CharField(blank=True, max_length=20)),
                ('action', models.CharField(max_length=60)),
                ('subject', models.CharField(max_length=80)),
                ('at', models.DateTimeField()),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField(null=True)),
                ('reason', models.TextField(blank=True)),
                ('approver', models.CharField(blank=True, max_length=80)),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='properties.property')),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='staff.device')),
            ],
        ),
        migrations.CreateModel(
            name='EmployeeRole',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('dealer', 'Dealer'), ('floor_supervisor', 'Floor supervisor'), ('pit_boss', 'Pit boss'), ('cage_cashier', 'Cage cashier'), ('surveillance', 'Surveillance'), ('auditor', 'Auditor'), ('admin', 'Administrator'), ('count_team', 'Count team'), ('runner', 'Runner')], max_length=20)),
                ('employee', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Enrolment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('place', models.CharField(max_length=60)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(null=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='enrolments', to='properties.property')),
            ],
        ),
        migrations.CreateModel(
            name='RoleChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gaming_day', models.DateField()),
                ('shift', models.CharField(blank=True, max_length=40)),
                ('role', models.CharField(choices=[('dealer', 'Dealer'), ('floor_supervisor', 'Floor supervisor'), ('pit_boss', 'Pit boss'), ('cage_cashier', 'Cage cashier'), ('surveillance', 'Surveillance'), ('auditor', 'Auditor'), ('admin', 'Administrator'), ('count_team', 'Count team'), ('runner', 'Runner')], max_length=20)),
                ('chosen_at', models.DateTimeField()),
                ('employee', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='role_choices', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Signature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document', models.CharField(max_length=80)),
                ('signer_group', models.CharField(choices=[('floor', 'Floor'), ('approver', 'Approver'), ('cage', 'Cage'), ('carrier', 'Carrier'), ('dealer', 'Dealer'), ('reviewer', 'Reviewer')], max_length=20)),
                ('role', models.CharField(choices=[('dealer', 'Dealer'), ('floor_supervisor', 'Floor supervisor'), ('pit_boss', 'Pit boss'), ('cage_cashier', 'Cage cashier'), ('surveillance', 'Surveillance'), ('auditor', 'Auditor'), ('admin', 'Administrator'), ('count_team', 'Count team'), ('runner', 'Runner')], max_length=20)),
                ('method', models.CharField(choices=[('pin', 'PIN at an enrolled device'), ('password', 'Password at a console')], max_length=20)),
                ('content_hash', models.CharField(max_length=64)),
                ('signed_at', models.DateTimeField()),
                ('device', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='staff.device')),
                ('employee', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to=settings.AUTH_USER_MODEL)),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='properties.property')),
            ],
        ),
        migrations.AddConstraint(
            model_name='employee',
            constraint=models.CheckConstraint(condition=models.Q(('number__regex', '^[A-Z0-9][A-Z0-9-]*$')), name='staff_employee_number'),
        ),
        migrations.AddConstraint(
            model_name='employee',
            constraint=models.CheckConstraint(condition=models.Q(('is_staff', False), ('pin_hash', ''), _connector='OR'), name='staff_employee_no_pin_for_admins'),
        ),
        migrations.AddIndex(
            model_name='device',
            index=models.Index(fields=['property', 'place'], name='staff_device_place'),
        ),
        migrations.AddIndex(
            model_name='auditrow',
            index=models.Index(fields=['property', 'subject', 'id'], name='staff_auditrow_subject'),
        ),
        migrations.AddIndex(
            model_name='auditrow',
            index=models.Index(fields=['property', 'at'], name='staff_auditrow_at'),
        ),
        migrations.AddConstraint(
            model_name='employeerole',
            constraint=models.UniqueConstraint(fields=('employee', 'role'), name='staff_employeerole_once'),
        ),
        migrations.AddConstraint(
            model_name='employeerole',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['dealer', 'floor_supervisor', 'pit_boss', 'cage_cashier', 'surveillance', 'auditor', 'admin', 'count_team', 'runner'])), name='staff_employeerole_known'),
        ),
        migrations.AddConstraint(
            model_name='enrolment',
            constraint=models.CheckConstraint(condition=models.Q(('used_at', None), ('expires_at__gt', models.F('used_at')), _connector='OR'), name='staff_enrolment_used_in_time'),
        ),
        migrations.AddConstraint(
            model_name='rolechoice',
            constraint=models.UniqueConstraint(fields=('employee', 'gaming_day', 'shift'), name='staff_rolechoice_once'),
        ),
        migrations.AddIndex(
            model_name='signature',
            index=models.Index(fields=['property', 'document'], name='staff_signature_document'),
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(expressions=[('property', '='), ('document', '='), ('employee', '='), ('signer_group', '<>')], name='staff_signature_one_group'),
        ),
        migrations.AddConstraint(
            model_name='signature',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('method', 'pin'), _negated=True), ('device__isnull', False), _connector='OR'), name='staff_signature_pin_at_device'),
        ),
    ]
