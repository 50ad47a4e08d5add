"""The property, its shifts and its dated settings."""

import datetime
import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    # The role comes first, so that its default privileges cover these tables.
    dependencies = [
        ('web', '0001_roles'),
    ]

    operations = [
        migrations.CreateModel(
            name='Property',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('time_zone', models.CharField(max_length=64)),
                ('day_start', models.TimeField(default=datetime.time(6, 0))),
                ('currency', models.CharField(max_length=3)),
                ('is_sandbox', models.BooleanField(default=False)),
                ('languages', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=12), default=list, size=None)),
            ],
            options={
                'verbose_name_plural': 'properties',
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('code', ''), _negated=True), models.Q(('name', ''), _negated=True), models.Q(('time_zone', ''), _negated=True)), name='properties_property_named'), models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='properties_property_currency')],
            },
        ),
        migrations.CreateModel(
            name='Setting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('scope', models.CharField(blank=True, default='', max_length=60)),
                ('value', models.JSONField()),
                ('effective_from', models.DateField()),
                ('set_by', models.CharField(max_length=60)),
                ('approved_by', models.CharField(blank=True, default='', max_length=60)),
                ('set_at', models.DateTimeField()),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='settings', to='properties.property')),
            ],
            options={
                'indexes': [models.Index(fields=['property', 'name', 'scope', '-effective_from', '-id'], name='properties_setting_latest')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), models.Q(('set_by', ''), _negated=True)), name='properties_setting_named'), models.CheckConstraint(condition=models.Q(('approved_by', models.F('set_by')), _negated=True), name='properties_setting_two_people')],
            },
        ),
        migrations.CreateModel(
            name='Shift',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('starts_at', models.TimeField()),
                ('property', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shifts', to='properties.property')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('property', 'name'), name='properties_shift_name'), models.UniqueConstraint(fields=('property', 'starts_at'), name='properties_shift_starts_at'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='properties_shift_named')],
            },
        ),
    ]
