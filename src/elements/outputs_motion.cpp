// Outputs of motion: position, velocity and acceleration of points; orientation, angular velocity and acceleration of bodies;
// coordinates of joints.
#include "elements/outputs_motion.hpp"

#include "elements/coordinate.hpp"
#include "elements/observe.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::Item;
using input::Value;

namespace {

// index: marker, marker at the origin of the frame
struct Position {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    Vec3<T> p = s.evaluation->marker[o.index[0]].p;
    if (o.frame >= 0) p -= s.evaluation->marker[o.frame].p;
    put_vector(o, s, p, out);
  }
};
// index: marker, marker of the ground where it was drawn
struct Displacement {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, s.evaluation->marker[o.index[0]].p - s.evaluation->marker[o.index[1]].p, out);
  }
};
struct Velocity {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, s.evaluation->marker[o.index[0]].v, out);
  }
};
struct Acceleration {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, acceleration_of(o.index[0], s).linear, out);
  }
};
// index: marker with the axes of the body
struct AngularVelocity {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, s.evaluation->marker[o.index[0]].w, out);
  }
};
struct AngularAcceleration {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    put_vector(o, s, acceleration_of(o.index[0], s).angular, out);
  }
};
// R = Rz(yaw) Ry(pitch) Rx(roll)
struct EulerAngles {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const Mat3<T>& R = s.evaluation->marker[o.index[0]].R;
    out[0] = atan2(R[2].y, R[2].z);
    out[1] = atan2(-R[2].x, sqrt(R[0].x * R[0].x + R[1].x * R[1].x));
    out[2] = atan2(R[1].x, R[0].x);
  }
};
// index: body, normal
struct PlaneAngle {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const Mat3<T>& R = s.evaluation->marker[o.index[0]].R;
    const int i = (o.index[1] + 1) % 3, j = (o.index[1] + 2) % 3;
    out[0] = atan2(R[j][i], R[i][i]);
  }
};
struct QuaternionOutput {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const Quaternion<T> q = quaternion_of(s.evaluation->marker[o.index[0]].R);
    out[0] = q.w, out[1] = q.v.x, out[2] = q.v.y, out[3] = q.v.z;
  }
};
// index: the integers of a Coordinate
struct CoordinateValue {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    out[0] = measure(coordinate_of(o), *s.evaluation).value;
  }
};
struct CoordinateRate {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const Coordinate c = coordinate_of(o);
    out[0] = rate(measure(c, *s.evaluation).gradient, s.evaluation->marker[c.a], s.evaluation->marker[c.b]);
  }
};

Vec3<double> place_on(int body, const Item& item, const Builder& b) {
  const Value* at = item.find("at");
  return at ? b.vector(*at) : b.body_origin(body);
}

template <class F>
void build_point(const Item& item, Builder& b, const char* unit) {
  Output out = new_output<F>(item, unit);
  const int body = b.body(item.subject.word);
  out.index = {b.marker(body, place_on(body, item, b))};
  b.vector_output(item, out);
  b.add_output(out);
}
void build_position(const Item& i, Builder& b) { build_point<Position>(i, b, "m"); }
void build_velocity(const Item& i, Builder& b) { build_point<Velocity>(i, b, "m/s"); }
void build_acceleration(const Item& i, Builder& b) { build_point<Acceleration>(i, b, "m/s²"); }

void build_displacement(const Item& item, Builder& b) {
  Output out = new_output<Displacement>(item, "m");
  const int body = moving_body(item, b);
  const Vec3<double> place = place_on(body, item, b);
  out.index = {b.marker(body, place), b.marker(b.ground(), place)};
  b.vector_output(item, out);
  b.add_output(out);
}

template <class F>
void build_angular(const Item& item, Builder& b, const char* unit) {
  Output out = new_output<F>(item, unit);
  const int body = moving_body(item, b);
  out.index = {b.axes_marker(body, place_on(body, item, b), item.at)};
  b.vector_output(item, out);
  b.add_output(out);
}
void build_angular_velocity(const Item& i, Builder& b) { build_angular<AngularVelocity>(i, b, "rad/s"); }
void build_angular_acceleration(const Item& i, Builder& b) { build_angular<AngularAcceleration>(i, b, "rad/s²"); }

void build_orientation(const Item& item, Builder& b) {
  const int body = moving_body(item, b);
  const Value* as = item.find("as");
  const bool quaternion = as && as->word == "quaternion", planar = b.normal() >= 0 && !quaternion;
  const Vec3<double> place = place_on(body, item, b);
  const int axes = planar ? b.angle_marker(body, place, item.at) : b.axes_marker(body, place, item.at);
  Output out;
  if (quaternion) {
    out = new_output<QuaternionOutput>(item, "-");
    out.channels = {"w", "x", "y", "z"};
    out.index = {axes};
  } else if (planar) {
    out = new_output<PlaneAngle>(item, "rad");
    out.channels = {""};
    out.index = {axes, b.normal()};
    out.angular = true;
  } else {
    out = new_output<EulerAngles>(item, "rad");
    out.channels = {"roll", "pitch", "yaw"};
    out.index = {axes};
    out.angular = true;
  }
  b.add_output(out);
}

template <class F>
void build_coordinate(const Item& item, Builder& b, bool rate_wanted) {
  const Value* d = item.find("direction");
  const Coordinate c = pick_direction(b.joint(item.subject.word), d ? d->word : "", d ? d->at : item.at, "direction").coordinate;
  const bool angle = c.kind == Coordinate::angle;
  Output out = new_output<F>(item, rate_wanted ? (angle ? "rad/s" : "m/s") : (angle ? "rad" : "m"));
  out.channels = {""};
  out.index = integers_of(c);
  b.add_output(out);
}
void build_coordinate_value(const Item& i, Builder& b) { build_coordinate<CoordinateValue>(i, b, false); }
void build_coordinate_rate(const Item& i, Builder& b) { build_coordinate<CoordinateRate>(i, b, true); }

}  // namespace

std::vector<ElementType> motion_outputs() {
  const Field body = {.key = "", .type = FieldType::body, .doc = "The body."};
  const Field at = {.key = "at",
                    .type = FieldType::point,
                    .unit = "m",
                    .doc = "Position of the point at t = 0; for a beam any of its points.",
                    .fallback = "the position of the body"};
  const Field joint = {.key = "", .type = FieldType::joint, .doc = "The joint."};
  const Field direction = {.key = "direction",
                           .type = FieldType::word,
                           .doc = "Free direction of the joint.",
                           .fallback = "the only one",
                           .words = {"x", "y", "z", "rx", "ry", "rz", "along", "about"}};
  const auto v = vector_fields();
  const auto with = [&](std::vector<Field> f) {
    f.insert(f.end(), v.begin(), v.end());
    return f;
  };
  return {
      {{"position", "Position of a point; with `in`, relative to the position of that body.", body, with({at})},
       build_position,
       "{position: b, at: [0.1, 0.2, 0.3], in: a}"},
      {{"displacement", "Displacement of a point from its drawn position.", body, with({at})},
       build_displacement,
       "{displacement: b, at: [0.1, 0.2, 0.3], component: x}"},
      {{"velocity", "Velocity of a point.", body, with({at})},
       build_velocity,
       "{velocity: b, at: [0.1, 0.2, 0.3], component: norm}"},
      {{"acceleration", "Acceleration of a point.", body, with({at})},
       build_acceleration,
       "{acceleration: b, at: [0.1, 0.2, 0.3], component: z}"},
      {{"orientation",
        "Orientation of a body (for a beam: of its cross-section at a point): roll, pitch and yaw, or a quaternion; in a planar "
        "model "
        "its angle.",
        body,
        {at,
         {.key = "as", .type = FieldType::word, .doc = "Representation.", .fallback = "rpy", .words = {"rpy", "quaternion"}}}},
       build_orientation,
       "{orientation: b, as: quaternion}"},
      {{"angular_velocity", "Angular velocity of a body, or of the cross-section of a beam at a point.", body, with({at})},
       build_angular_velocity,
       "{angular_velocity: b}"},
      {{"angular_acceleration", "Angular acceleration of a body, or of the cross-section of a beam at a point.", body,
        with({at})},
       build_angular_acceleration,
       "{angular_acceleration: b, in: b}"},
      {{"coordinate",
        "Displacement or angle in a free direction of a joint, from the drawing; full turns are counted.",
        joint,
        {direction}},
       build_coordinate_value,
       "{coordinate: turn_a}"},
      {{"rate", "Velocity or angular velocity in a free direction of a joint.", joint, {direction}},
       build_coordinate_rate,
       "{rate: turn_a}"},
  };
}

}  // namespace aleator::core
